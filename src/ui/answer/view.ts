/** What the view "Answer" shows: one of its forms, and what stands next to it. */
import type { Outcome, SnapshotHead, Time, Token, UnavailableView } from '../kit/view.ts';
import type { AskView, AppointView, RequestView } from './requests.ts';
import type { EnrolView, KeysView } from './keys.ts';
import type { NothingView } from './nothing.ts';
import type { QuestionForm } from './question.ts';
import type { RecoveryView } from './recovery.ts';
import type { AssumptionsView, TogetherView } from './together.ts';
import type { LeaveView, ShareView } from './team.ts';
import type { PolicyView, ReleaseAllView, WorkView } from './workspace.ts';

export type AnswerSnapshot =
  | QuestionForm
  | NothingView
  | PolicyView
  | ReleaseAllView
  | WorkView
  | AssumptionsView
  | TogetherView
  | RequestView
  | AskView
  | AppointView
  | RecoveryView
  | KeysView
  | EnrolView
  | ShareView
  | LeaveView
  | UnavailableView;

/** The whole view: the next snapshot contains whatever a page missed while it was hidden. */
export interface Snapshot extends SnapshotHead {
  limits: { answer: number; reason: number; name: number };
  view: AnswerSnapshot;
  /** How many records were ignored, because no key that is trusted here signed them. */
  ignored?: number | undefined;
  /** For a page that has just started: what its predecessor asked to keep. */
  kept?: string | undefined;
  outcome?: Outcome | undefined;
  /** It is a tab of the editor, not the view. */
  tab?: boolean | undefined;
  /** Other forms of the same tab. */
  sections?: readonly { name: 'policy' | 'keys' | 'appoint' | 'ask'; key: Token; current: boolean }[] | undefined;
  queue?: QueueState | undefined;
  /** A new value requests keyboard focus once (somebody opened the form on purpose). */
  focus?: Token | undefined;
}

export interface QueueState {
  /**
   * The waiting items are shown one after another. `index`: absent at the end. `done`: those that no longer wait, or are
   * decided and not sent yet.
   */
  run?: { index?: number | undefined; of: number; done: number } | undefined;
  /** Decisions that can still be taken back, the latest last; with the start of what was answered. */
  held: readonly {
    act: Token;
    key: Token;
    how: 'answer' | 'cancel' | 'release';
    said?: string | undefined;
    until: Time;
  }[];
  /** The item whose decision was not recorded: its draft is kept. */
  failed?: Token | undefined;
}
