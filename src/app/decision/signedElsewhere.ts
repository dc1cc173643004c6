/** A decision that a human signed elsewhere, as a whole record. The signature alone counts; who sends it does not. */
import { anyRecord, type SignedRecord } from '../../core/records/records.ts';
import { StoreError } from '../../store/journal/problem.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { humanActor } from './decisions.ts';

const decisions = ['question.answered', 'question.cancelled', 'question.released'] as const;
type SignedDecision = Extract<SignedRecord, { kind: (typeof decisions)[number] }>;

/** @throws AppError `bad_input` for anything but a signed decision on this question */
export function signedDecision(id: string, raw: unknown): SignedDecision {
  const parsed = anyRecord.safeParse(raw);
  if (!parsed.success) throw new AppError('bad_input', `record: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
  if (!isDecision(parsed.data))
    throw new AppError('bad_input', `record: give one of ${decisions.join(', ')}, as it was signed`);
  if (parsed.data.id !== id) throw new AppError('bad_input', `record: it decides ${parsed.data.id}, not ${id}`);
  return parsed.data;
}

function isDecision(record: { readonly kind: string }): record is SignedDecision {
  return decisions.some((kind) => kind === record.kind);
}

/**
 * Records it. A record whose signature does not count is not written.
 * @throws AppError `not_found`; `conflict` when the question was decided; `denied` for a signature that does not count
 */
export async function recordSigned(workspace: Workspace, record: SignedDecision): Promise<void> {
  const signer = signerOf(workspace.pins(), record);
  const store = await workspace.store();
  try {
    await store.transact(humanActor(signer), ({ state }) => {
      const question = state.questions.get(record.id);
      if (!question) throw new AppError('not_found', `there is no question ${record.id}`);
      if (question.resolution !== null) throw new AppError('conflict', `${record.id} was decided already`);
      return { records: [record], result: null };
    });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'refused') throw error;
    throw new AppError('denied', `this signature is not valid: ${error.message}`, { cause: error });
  } finally {
    workspace.changed();
  }
}

/** For the line's actor. The fold takes the name from the signature. */
function signerOf(pins: readonly PinnedKey[], { envelope }: SignedDecision): PinnedKey {
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  const found = pins.find(({ keyid }) => keyids.includes(keyid));
  if (found) return found;
  throw new AppError('denied', 'this signature is not valid: its key is not in the list of keys');
}
