/** When a file of the journal has become long, and the records that end it. */
import { askForFormat } from '../../core/state/askForFormat.ts';
import { maxSeals, segmentFormat } from '../../core/records/records.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { Ledger } from './ledger.ts';

/** A file longer than this is ended. Bytes. */
const usualLength = 8 * 2 ** 20;

/** What ends the file that this ledger writes to; nothing while it is not long. */
export function sealOf({ size, base, state }: Ledger, length = usualLength): RecordInput[] {
  if (size - base <= length || state.seals.length >= maxSeals) return [];
  // Programs that know of one file only are kept out by the same line that ends it.
  return [...askForFormat(state, segmentFormat), { kind: 'segment.sealed', v: 1 }];
}
