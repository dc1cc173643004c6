/** What several pages show. A page trusts its host, so that no schema checks what it is sent. Texts are for people: complete and translated. */
import type { ImportSource } from '../../core/records/import.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';

/** ISO 8601 in UTC. Pages show it in words, with the exact time in a tooltip. */
export type Time = string;

/**
 * Opaque: one side creates it and the other returns it; never shown, never parsed. A `key` names one thing in the window,
 * because ids like Q-12 are per workspace.
 */
export type Token = string;

/** The server of a shared workspace does not answer. */
export interface Outage {
  /** `offline`: agents continue within the lease. `unknown`: they wait. */
  state: 'offline' | 'unknown';
  /** When the server last answered. */
  since?: Time | undefined;
  why?: 'lease' | 'never' | 'clock' | 'forked' | undefined;
  /** Which workspace, if the window has several. */
  folder?: string | undefined;
}

export interface SnapshotHead {
  type: 'snapshot';
  /** The host's clock, which can differ from the browser's. */
  now: Time;
  outage?: Outage | undefined;
}

/** The source of an imported item, not verified. `ref` is its id there. */
export interface Imported {
  from: ImportSource;
  source: string;
  ref: string;
}

/** A file as people name it: workspace-relative, with `/` on every system. */
export interface FileRef {
  path: string;
  line?: number | undefined;
  /** False if the file does not exist (any more): shown, but not as a link. */
  exists: boolean;
}

export interface WorkRef {
  id: string;
  title: string;
}

/** A surface of one folder of the window: the folders to choose from, when there are several, and the one it shows. */
export interface ChosenFolder {
  folders: readonly { key: Token; name: string }[];
  folder: Token;
}

/** A person, and whether it is the reader. */
export interface Person {
  name: string;
  you: boolean;
}

/** Present while a human extends the hold to every file of the workspace. */
export interface AllFiles {
  by: Person;
  at: Time;
}

/** Oldest first. */
export type History = readonly { at: Time; text: string }[];

/** Sent with every view that can decide something, and returned with the decision. */
export interface RenderMark {
  key: Token;
  /** Hash of the displayed content. The host refuses a decision about anything else. */
  shown: Token;
  /** New for every rendering: only a form that the host has sent can decide. */
  render: Token;
}

/** The signer's name: of git or the system until the first signature, which `editable` says; then the enrolled name. */
export interface Signer {
  name: string;
  editable: boolean;
}

/** Of every form: the folder, when the window has several; the signer; and why nothing can be decided here now. */
export interface FormView extends RenderMark {
  folder?: string | undefined;
  answersAs: Signer;
  locked?: string | undefined;
}

/** What a model makes; its optional fields are absent or undefined. */
export type ViewOf<Model> = {
  [Key in keyof Model]: Model[Key] | (object extends Pick<Model, Key> ? undefined : never);
};

/** Opens a form about several items. */
export interface FormLink {
  key: Token;
  count: number;
}

/** Helpful actions that change nothing in a workspace. */
export type HarmlessAction = 'openFolder' | 'manageTrust' | 'reloadWindow';

/** There is no store, or none that this version can read. */
export interface UnavailableView {
  type: 'unavailable';
  title: string;
  /** What happened, why, and what to do. */
  text: string;
  action?: HarmlessAction | undefined;
  /** What to select for the recovery options, where these are not the first thing to try. */
  recovery?: Token | undefined;
}

/** The outcome of an act. Sent at least once for every act, so that no form waits forever. */
export type Outcome =
  /** `decided`: items that a form about several of them decided; it is left for them. */
  | { type: 'done'; act: Token; text?: string | undefined; decided?: readonly string[] | undefined }
  | {
      type: 'refused';
      act: Token;
      /**
       * conflict: somebody else was first (the view shows their answer); changed: the displayed content is outdated;
       * invalid: a field is wrong; failed: it could not be done now, and trying again may help.
       */
      reason: 'conflict' | 'changed' | 'notFound' | 'invalid' | 'failed';
      /** One sentence: what happened, why, and what to do. */
      text: string;
    };

interface QuestionFill {
  panel: 'answer' | 'cancel' | 'release' | 'lift';
  text: string;
  choices: readonly string[];
  effect?: AnswerEffect | undefined;
}

interface RfcFill {
  panel: 'approve' | 'reject' | 'withdraw';
  text: string;
  conditions: readonly string[];
  way: 'stop' | 'otherWay';
}

/** The people that a decision needs, and their signatures so far. */
export interface People {
  /** "2 of ada, grace, linus must decide this." */
  needs: string;
  proposals: readonly {
    /** "1 of 2: grace approved “JWT”" */
    text: string;
    /** This editor's human is among them. */
    mine: boolean;
    /** Fills the form with exactly this; absent where the form cannot. */
    fill?: QuestionFill | RfcFill | undefined;
  }[];
}

/** What the server sends to a browser besides the surfaces' own snapshots: the list of waiting items. */
export interface InboxSnapshot {
  now: Time;
  name: string;
  count: number;
  groups: readonly { label: string; rows: readonly InboxRow[] }[];
  /** What agents do, if nothing waits. */
  working?: string | undefined;
}

/** One row of the list, as in the editor's tree. */
export interface InboxRow {
  path: string;
  label: string;
  description: string;
  /** Its state in words, for screen readers. */
  spoken: string;
  icon: string;
  tone: 'critical' | 'high' | 'rest';
}

/** What a document says about itself to its script. */
export interface PageFacts {
  readonly kind: 'login' | 'page' | 'passkey';
  /** Whether the session was opened with a passkey, which can decide. */
  readonly passkey: boolean;
  /** The surface next to the list; null for the list alone. */
  readonly surface: string | null;
  readonly key: string | null;
  /** Keeps drafts of different workspaces apart. */
  readonly store: string;
  readonly path: string;
}

// Fields of forms as data, which the host can send with its texts. Pages draw them (webview/shared/fields.ts).

export type Values = Readonly<Record<string, string>>;

export interface Option<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly more?: string;
}

/**
 * Its name is the element's, and the one under which drafts and messages know it. `times` and `ways` are four fields,
 * `name-critical` to `name-low`: numbers, and choices among the options. `rows` are a JSON array of values by column.
 */
export interface FieldDef {
  readonly type:
    'line' | 'code' | 'time' | 'text' | 'lines' | 'rows' | 'select' | 'radios' | 'ticks' | 'number' | 'times' | 'ways';
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  readonly options?: readonly Option[];
  /** The longest line of a field of one, the most lines or rows, or the largest number. */
  readonly max?: number;
  /** The smallest number; at least one choice or character. */
  readonly least?: number;
  /** The longest of several lines. */
  readonly longest?: number;
  readonly unit?: readonly [string, string];
  /** A regular expression for a line. */
  readonly pattern?: string;
  /** The error of a number, a choice or a line. `{text}` is what was typed. */
  readonly wrong?: string;
  /** A number in words, for a list of changes: `{n} h`; 0 if it has words of its own. */
  readonly words?: string;
  /** In words: nothing, or 0. */
  readonly none?: string;
  readonly columns?: readonly FieldDef[];
  /** It is there only with this value of another field. */
  readonly when?: readonly [field: string, value: string];
  /** A subject of its form, under which it is folded. */
  readonly subject?: string;
}
