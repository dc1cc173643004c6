/** What the view "Answer" shows: one of its forms, and what stands next to it. */
import type { Outcome, SnapshotHead, Time, Token, UnavailableView, FormView } from '../kit/view.ts';
import type { AskView, AppointView, RequestView } from './requests.ts';
import type { EnrolView, KeysView } from './keys.ts';
import type { NothingView, ReviewView } from './nothing.ts';
import type { QuestionForm } from './question.ts';
import type { RecoveryView } from './recovery.ts';
import type { AssumptionsView, TogetherView } from './together.ts';
import type { PolicyView, ReleaseAllView, WorkView } from './workspace.ts';
import type { SecretKind } from '../../core/kit/secrets.ts';

export type AnswerSnapshot =
  | QuestionForm
  | NothingView
  | ReviewView
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
  /** It is the view, and a visible tab has the form of the same item: only that one decides. */
  besideTab?: boolean | undefined;
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
  /** The item whose decision was not recorded, and why: its draft is kept. */
  failed?: { key: Token; why: string } | undefined;
}

// Forms about a team: sharing a workspace, and leaving a shared one.

/** A login to the server, without its password. */
interface ServerLogin {
  login: string;
  host: string;
}

/** What everyone on the team will see, before any of it leaves the machine. */
export interface ShareView extends FormView {
  type: 'share';
  project: string;
  counts: Record<'questions' | 'rfcs' | 'events' | 'requests' | 'work' | 'agents', number>;
  /** Texts that look like secrets: the first ones, and how many there are. */
  secrets: readonly { item: string; kind: SecretKind; beginning: string }[];
  secretCount: number;
  /** A suggestion for the workspace's name on the server. */
  name: string;
  /** The human's login; absent until this editor is connected. */
  server?: ServerLogin | undefined;
  /** Login of this person's agents. */
  agents?: string | undefined;
  /** The fingerprint that teammates compare; absent until this editor's first decision creates its key. */
  fingerprint?: string | undefined;
  /** An interrupted attempt, to continue with under the same name. */
  begun?: string | undefined;
}

/** Before the journal moves back to this machine. */
export interface LeaveView extends FormView {
  type: 'leave';
  shared: string;
}
