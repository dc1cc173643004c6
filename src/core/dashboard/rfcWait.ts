/** When the author of an RFC waited for a human, for the figures that sum it. */
import { isRfcWaiting } from '../rfc/rfc.ts';
import type { Rfc } from '../state/rfc.ts';

/** Times are ISO 8601. */
export interface RfcWait {
  readonly since: string;
  /** Null while it waits for a human. */
  readonly until: string | null;
}

/**
 * The wait of the latest submitted revision, because the state has no earlier ones. An amendment stops no work: until a
 * human approves it, this is the wait of the revision in force. Null for a draft, which waits for its author.
 */
export function rfcWait(rfc: Rfc): RfcWait | null {
  const { status, waitingSince, approval, ended, revisions } = rfc;
  if (status === 'draft' || waitingSince === null) return null;
  if (approval === null) return { since: waitingSince, until: isRfcWaiting(rfc) ? null : (ended?.at ?? null) };
  const isAmended = approval.revision < revisions.length;
  return { since: isAmended ? approvedRevisionAt(rfc, waitingSince) : waitingSince, until: approval.at };
}

/** The state has no longer when an amended revision was submitted, but when it was written. */
function approvedRevisionAt({ approval, revisions }: Rfc, otherwise: string): string {
  return revisions[(approval?.revision ?? 0) - 1]?.at ?? otherwise;
}
