/** Checks the records of an act before they become a line. */
import { isPlainRecord, withDefaults } from '../../core/records/plainRecord.ts';
import { anyRecord } from '../../core/records/records.ts';
import type { JournalRecord, RecordInput } from '../../core/records/records.ts';
import { StoreError } from './problem.ts';

/**
 * Fills in defaults, so that a line is self-contained.
 * @throws StoreError naming the field and the limit
 */
export function parseRecords(records: readonly RecordInput[]): JournalRecord[] {
  return records.map((record) => {
    const full = withDefaults(record);
    if (isPlainRecord(full)) return full;
    const parsed = anyRecord.safeParse(record);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new StoreError('refused', `${issue?.path.join('.') ?? record.kind}: ${issue?.message ?? 'is malformed'}`);
  });
}
