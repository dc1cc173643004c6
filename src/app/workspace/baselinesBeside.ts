/** What an editor gives another thread, so that reading and flushing files does not block it, and what it gets back. */

/** A question or RFC whose held files are to be noted. */
export interface HoldToNote {
  readonly id: string;
  readonly asker: { readonly worktree?: string | undefined };
  readonly scopes: readonly string[];
}

/** A baseline that is on disk. */
export interface WrittenBaseline {
  readonly hash: string;
  /** How many files it lists. */
  readonly files: number;
}

/** One for each hold, in their order. */
export type BaselinesBeside = (holds: readonly HoldToNote[]) => Promise<readonly WrittenBaseline[]>;
