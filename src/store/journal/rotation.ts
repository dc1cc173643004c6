/** Log rotation: when a journal file is long enough, and the records that end it. */
import { maxSeals, type RecordInput } from '../../core/records/records.ts';
import type { Ledger } from './ledger.ts';

/** A file longer than this is sealed. Bytes. */
const usualLength = 8 * 2 ** 20;

/** The records that seal the current file; empty while it is short enough. */
export function sealOf(
  { size, base, state }: Pick<Ledger, 'size' | 'base' | 'state'>,
  length = usualLength,
): RecordInput[] {
  if (size - base <= length || state.seals.length >= maxSeals) return [];
  return [{ kind: 'segment.sealed', v: 1 }];
}
