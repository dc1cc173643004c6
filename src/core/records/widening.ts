/**
 * "Hold every file of this workspace until this is decided": a human's signed decision on an open question or RFC, and
 * its reversal. Agents can do neither: their globs cannot cover everything (glob.ts).
 */

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
