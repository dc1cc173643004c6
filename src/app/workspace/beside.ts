/** What an editor has other threads do, so that reading, exporting and flushing files does not block it. */

/** A question or RFC whose held files are to be noted. */
export interface HoldToNote {
  readonly id: string;
  readonly asker: { readonly worktree?: string | undefined };
  readonly scopes: readonly string[];
}

export interface WrittenBaseline {
  readonly hash: string;
  /** How many files it lists. */
  readonly files: number;
}

/** One for each hold, in their order. */
export type BaselinesBeside = (holds: readonly HoldToNote[]) => Promise<readonly WrittenBaseline[]>;

export interface Beside {
  /** Reads a long journal and writes snapshots in another thread. Default: in this one. */
  readonly saveBeside?: (() => Promise<void>) | undefined;
  /** Writes baselines in another thread. Default: in this one. */
  readonly baselinesBeside?: BaselinesBeside | undefined;
}
