/** What is known about the held files of one question or RFC: their scope and baseline, and changes that no human accepted. */

/** The held files of one question or RFC that are kept as changed. More than that are treated as lost. */
export const heldChangesAtMost = 1_000;

export interface HeldFiles {
  readonly baselines: readonly Baseline[];
  readonly changes: readonly HeldChange[];
  /** Contents that a human accepted, by path: no changes any more. */
  readonly accepted: readonly AcceptedContent[];
  /** Set while it is not known what changed, and no human has accepted that. */
  readonly lost: Pick<HeldChange, 'at' | 'call' | 'copy'> | null;
}

/** Whose files: each copy of a workspace that a team shares has its own. Absent where the journal is one machine's. */
interface OfCopy {
  readonly copy?: string;
}

export interface Baseline extends OfCopy {
  readonly hash: string;
  /** Hash of the globs that it is about. */
  readonly scopes: string;
}

interface AcceptedContent extends OfCopy {
  readonly path: string;
  readonly is: string | null;
}

/** `was` and `is` stand for contents; null for a file that does not exist. */
export interface HeldChange extends AcceptedContent {
  readonly was: string | null;
  readonly at: string;
  /** What ran when it changed; null if no call that a hook saw. */
  readonly call: string | null;
}

export const noHeldFiles: HeldFiles = { baselines: [], changes: [], accepted: [], lost: null };

export function ofCopy({ baselines, changes, accepted, lost }: HeldFiles, copy: string | undefined): HeldFiles {
  const isOwn = (one: OfCopy) => one.copy === copy;
  return {
    baselines: baselines.filter(isOwn),
    changes: changes.filter(isOwn),
    accepted: accepted.filter(isOwn),
    lost: lost && (lost.copy === undefined || isOwn(lost)) ? lost : null,
  };
}

/** Whether something has changed that no human has accepted. */
export function isChanged({ changes, lost }: HeldFiles): boolean {
  return changes.length > 0 || lost !== null;
}

/** The member for shown and signed content. Absent without a change, so that earlier signatures keep their hashes. */
export function shownChanges(
  { heldFiles }: { readonly heldFiles: ReadonlyMap<string, HeldFiles> },
  id: string,
): object {
  const { changes = [], lost = null } = heldFiles.get(id) ?? {};
  return {
    ...(changes.length === 0 ? {} : { changes }),
    ...(lost === null ? {} : { lost }),
  };
}

// "Hold every file of this workspace until this is decided": a human's signed decision on an open question or RFC, and
// its reversal. Agents can do neither: their globs cannot cover everything (paths.ts).

/** Who widened a hold, and when. Ends with the hold. */
export interface Widening {
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
}

/** The globs of a widened hold. */
export const everything: readonly string[] = ['**'];

/** The member for shown and signed content. Absent without a widening, so that earlier signatures keep their hashes. */
export function shownWidening({ widened }: { readonly widened: Widening | null }): { readonly widened?: Widening } {
  return widened === null ? {} : { widened };
}

/** For lists and tools: who widened it to every file, and when; null if not widened. */
export function allFiles({ widened }: { readonly widened: Widening | null }): AllFiles | null {
  return widened && { by: widened.by, at: widened.at };
}
export type AllFiles = Pick<Widening, 'by' | 'at'>;
