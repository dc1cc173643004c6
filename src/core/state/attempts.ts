/** Which refused records are reported to a human. */
import { anyRecord } from '../records/records.ts';
import type { Refusal } from './state.ts';

const known: ReadonlySet<string> = new Set(anyRecord.kinds);

/**
 * Our programs validate records before writing them, so a written and refused record was written by hand. A record of
 * an unknown kind may come from a later program.
 */
export function isAttempt({ reason, kind }: Refusal): boolean {
  return reason !== 'invalid' || known.has(kind);
}
