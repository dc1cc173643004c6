/** Why a store cannot be used. UNKNOWN denies: an empty database never means "nothing holds". */
export type ProblemCode =
  'missing' | 'shorter' | 'forked' | 'damaged' | 'replaced' | 'unsafe' | 'newer' | 'unreadable' | 'git';

export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong, one sentence. */
  readonly what: string;
  /** The same with what it means and what to do: for whoever is not looking at the form. */
  readonly message: string;
  /** For `damaged` and `forked`: where it begins and where the journal can be read again, if it can. */
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
  | 'closed';

/** A commit or read that did not happen (or, for `unknown-outcome`, may have happened). */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function unknownOutcome(why: string): StoreError {
  return new StoreError('unknown-outcome', `it is not known whether this was saved: look whether it is there. ${why}`);
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const wayOut = 'Open the Holdpoint view in the editor: it shows the ways out.';

export function problem(code: ProblemCode, what: string, damage?: Damage): Problem {
  const todo = code === 'newer' ? 'Update Holdpoint and reload this window.' : wayOut;
  return { code, what, message: `${what} Until a human has looked, nothing may go on. ${todo}`, damage };
}

/** For what is saved already, and can be completed with the next change. */
export function quietly(act: () => void): void {
  try {
    act();
  } catch {
    return;
  }
}
