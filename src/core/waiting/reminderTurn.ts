/** Which reminder of one item is due by a person's rule: the first, or one of those that repeat it. */
import type { ReminderRule } from './reminders.ts';

interface Asked {
  /** Of the first reminder. */
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  readonly now: string;
}

export interface ReminderTurn {
  readonly name: string;
  readonly isFirst: boolean;
  readonly replaces: readonly string[];
}

/** Null when none is due yet. */
export function reminderTurn({ first, every }: ReminderRule, { name, since, now }: Asked): ReminderTurn | null {
  if (first === null) return null;
  const minutes = (Date.parse(now) - Date.parse(since)) / 60_000 - first;
  if (minutes < 0) return null;
  const turn = every === 0 ? 0 : Math.floor(minutes / every);
  if (turn === 0) return { name, isFirst: true, replaces: [] };
  return { name: `${name}-${String(turn)}`, isFirst: false, replaces: [name] };
}
