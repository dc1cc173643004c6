/** Which refused records a human has to hear of. */
import { anyRecord } from '../records/records.ts';
import type { Refusal } from './state.ts';

const known: ReadonlySet<string> = new Set(anyRecord.kinds);

/**
 * A program of ours tries its records before it writes them, so one that was written and refused was written by hand. Of
 * a kind that is not known it may be a later program's.
 */
export function isAttempt({ reason, kind }: Refusal): boolean {
  return reason !== 'invalid' || known.has(kind);
}
