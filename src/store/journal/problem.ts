/** Why a store cannot be used. UNKNOWN denies: an empty database never means that nothing is held. */
export type ProblemCode =
  | 'missing'
  /** `missing`, in a folder that was made after its journal was last used: a fresh clone at the same path, for example. */
  | 'recreated'
  | 'shorter'
  | 'forked'
  | 'damaged'
  | 'replaced'
  | 'unsafe'
  | 'newer'
  | 'unreadable'
  | 'git'
  /** The folder that had the store is another one now, or a link to one, and the journal there does not continue it. */
  | 'moved'
  /** The journal is shared, and this machine has no usable copy of it. */
  | 'disconnected'
  /** The key ring of a shared workspace cannot be used, so that no decision can be checked. */
  | 'ring';

export interface Problem {
  readonly code: ProblemCode;
  readonly what: string;
  /** `what`, with its effect and the remedy, for readers who do not see the form. */
  readonly message: string;
  /** For `damaged` and `forked`: where it begins, and where the journal is readable again, if anywhere. */
  readonly damage?: Damage | undefined;
}

export interface Damage {
  readonly from: number;
  readonly to: number;
  readonly bytesHash: string;
  /** `prev` of the line at `to`, or the last hash that counted when nothing follows. */
  readonly resumes: string;
}

export type StoreErrorCode =
  | 'unknown-state'
  | 'unknown-outcome'
  | 'read-only'
  | 'refused'
  | 'held'
  | 'constraint'
  | 'disk'
  | 'network-drive'
  /** The server of a shared journal cannot be reached, or is too busy. */
  | 'offline'
  | 'closed';

/** Problems of a copy of a shared journal that fetching it again can solve. */
export const canBeRebuilt: ReadonlySet<ProblemCode> = new Set([
  'missing',
  'recreated',
  'shorter',
  'forked',
  'damaged',
  'replaced',
]);

/** An error from which callers draw conclusions. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A commit or read that did not happen (for `unknown-outcome`: may have happened). */
export class StoreError extends CodedError<StoreErrorCode> {
  override readonly name = 'StoreError';
}

export function unknownOutcome(why: string): StoreError {
  return new StoreError(
    'unknown-outcome',
    `the outcome is unknown: this may have been saved. List your questions or work to see whether it was, before you try again. ${why}`,
  );
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const ways: Partial<Record<ProblemCode, string>> = {
  newer: 'Update Holdpoint and reload this window.',
  ring: 'It is read again from the team’s server as soon as that answers.',
  disconnected: 'Join it ("holdpoint team join"), or connect to its server.',
};
const wayOut = 'Open the Holdpoint view in the editor: it shows the recovery options.';

export function problem(code: ProblemCode, what: string, damage?: Damage): Problem {
  const todo = ways[code] ?? wayOut;
  return { code, what, message: `${what} Agents are paused until a human resolves this. ${todo}`, damage };
}

/** Thrown where reading finds a problem that has a code of its own. */
export class ProblemError extends CodedError<ProblemCode> {
  override readonly name = 'ProblemError';
}

/** Runs an act whose failure is harmless: what it writes is saved elsewhere and completed with the next change. */
export function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    return;
  }
}
