/** A record that is about to be signed, as the fold will read it. */
import type { UnsignedRecord } from '../../core/decision/decisions.ts';
import type { Envelope } from '../../core/records/parts.ts';
import { anyRecord, type SignedRecord } from '../../core/records/records.ts';
import { payloadType } from '../../trust/envelope.ts';
import { AppError } from '../workspace/errors.ts';

/** The record as the fold will see it: trimmed, with defaults. The signature must cover what is read back. */
export function parsedRecord(record: UnsignedRecord): SignedRecord {
  const result = anyRecord.safeParse({ ...record, envelope: placeholder });
  if (result.success && 'envelope' in result.data) return result.data;
  const issue = result.error?.issues[0];
  throw new AppError('bad_input', `${issue?.path.join('.') ?? record.kind}: ${issue?.message ?? 'is malformed'}`);
}

const placeholder: Envelope = { payloadType, payload: '', signatures: [{ keyid: '0'.repeat(64), sig: '' }] };
