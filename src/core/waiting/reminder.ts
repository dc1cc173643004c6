/** One reminder of one item, for any channel. */
import type { Interruption, Urgency } from '../kit/words.ts';
import type { QuestionNotice } from './reminders.ts';

/** What a message says. Texts of agents are one short line without markup and hidden characters. */
export interface Reminder {
  /** Such as `Q-12`. */
  readonly id: string;
  /** `overdue`: the agreed time of a request has passed; `changed`: files that it holds were changed. */
  readonly kind: QuestionNotice['kind'] | 'overdue' | 'changed';
  /** Identifies the occasion in its workspace: it is sent once. */
  readonly name: string;
  /** Names of the other occasions that are due: this one says what they would. */
  readonly replaces: readonly string[];
  readonly urgency: Urgency;
  readonly title: string;
  readonly askedBy: string;
  readonly waitingSince: string;
  readonly expiresAt: string | null;
  /** Work items held by it. */
  readonly holds: number;
  /** When it became due (ISO 8601). */
  readonly at: string;
  readonly how: Interruption;
}
