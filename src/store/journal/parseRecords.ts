/** Checks the records of an act before they become a line. */
import { seenText } from '../../core/kit/visible.ts';
import { labelsLookDistinct } from '../../core/records/answer.ts';
import { anyRecord, type JournalRecord, type RecordInput } from '../../core/records/records.ts';
import { StoreError } from './problem.ts';

/**
 * Fills in defaults, so that a line is self-contained.
 * @throws StoreError naming the field and the limit
 */
export function parseRecords(records: readonly RecordInput[]): JournalRecord[] {
  return records.map((record) => {
    const parsed = anyRecord.safeParse(record);
    // As readers will find it: without members that have no value.
    if (parsed.success) return seen(JSON.parse(JSON.stringify(parsed.data)) as JournalRecord);
    const [issue] = parsed.error.issues;
    throw new StoreError('refused', `${issue?.path.join('.') ?? record.kind}: ${issue?.message ?? 'is malformed'}`);
  });
}

/** What is only asked of new records: those that were written before are read as they are, so that no hold is lost. */
function seen(record: JournalRecord): JournalRecord {
  requireSeen(record, []);
  return record;
}

function requireSeen(value: unknown, at: readonly string[]): void {
  if (typeof value === 'string') {
    if (value !== '' && !/[!-~]/.test(value) && seenText(value) === '')
      throw new StoreError('refused', `${at.join('.')}: must not be empty`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (at.at(-1) === 'choices' && isLabelled(value) && !labelsLookDistinct(value))
    throw new StoreError('refused', `${at.join('.')}: name a choice twice`);
  for (const [name, member] of Object.entries(value)) requireSeen(member, [...at, name]);
}

function isLabelled(value: object): value is readonly { readonly label: string }[] {
  return (
    Array.isArray(value) && value.every((one: unknown) => typeof one === 'object' && one !== null && 'label' in one)
  );
}
