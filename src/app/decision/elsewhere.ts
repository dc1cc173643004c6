/**
 * Decisions that a key elsewhere signs: a passkey in a browser, or a key on the person's side of a remote window. They
 * are prepared here, signed there, and committed here. Any use case works, because both steps run the same one; if it
 * records several decisions, the human signs all of them at once. The caller keeps what was prepared, for one use, and
 * never takes it from the other side.
 *
 *     const act = (signing: Signing) => decideQuestion(signing, id, verdict, shown);
 *     const unsealed = await prepareAct(context, act); // sign these payloads
 *     const outcome = await commitAct({ ...context, unsealed, envelopes }, act);
 */
import type { DecisionPayload, UnsignedRecord } from '../../core/records/decision.ts';
import { passkeyBatch } from '../../core/records/parts.ts';
import type { Envelope } from '../../core/records/parts.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import type { Store } from '../../store/store.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { payloadType } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { AppError } from '../workspace/errors.ts';
import { signRecord } from './decisions.ts';
import type { Binding, Signing } from './decisions.ts';
import type { ElsewhereSigner } from './signer.ts';

export interface ElsewhereContext {
  readonly store: Store;
  readonly newId: () => string;
  /** The key that signs, which must not be given up. */
  readonly pin: PinnedKey;
}

/** A decision that has no signature yet. */
export interface Unsealed {
  readonly payload: DecisionPayload;
  readonly record: UnsignedRecord;
}

export type Act<T> = (signing: Signing) => Promise<T>;

/**
 * What must be signed so that this act counts, one for each record. Records nothing.
 * @param act a use case that records decisions
 * @throws AppError as the use case does; `conflict` when there is nothing to sign any more
 */
export async function prepareAct({ store, newId, pin }: ElsewhereContext, act: Act<unknown>): Promise<Unsealed[]> {
  const unsealed: Unsealed[] = [];
  const signer = signerWith(pin, (payload, record) => {
    unsealed.push({ payload: pin.passkey ? { ...payload, ...placeOf(store) } : payload, record });
    return emptyEnvelope;
  });
  const transact: Store['transact'] = (actor, decide) =>
    store.transact(actor, (view) => {
      const decided = decide(view);
      if (unsealed.length > 0) throw new AsksToSign();
      return decided;
    });
  const asking = Object.create(store, { transact: { value: transact } }) as Store;
  try {
    await act({ store: asking, signer, newId });
  } catch (error) {
    if (!(error instanceof AsksToSign)) throw error;
    if (unsealed.length > passkeyBatch)
      throw new AppError('bad_input', `these are more than ${String(passkeyBatch)} decisions: sign fewer at once`);
    return unsealed;
  }
  throw new AppError('conflict', 'there is nothing left to sign: it was decided, or it has changed');
}

/**
 * Records the act with these signatures.
 * @param context `envelopes` has one for each decision of `unsealed`, in the same order
 * @param act the same use case with the same input as in `prepareAct`
 * @returns the result of the use case, which may also be that another decision came first
 * @throws AppError as the use case does; `conflict` when the act is no longer what was signed; JournalGrew
 */
export async function commitAct<T>(
  context: ElsewhereContext & { readonly unsealed: readonly Unsealed[]; readonly envelopes: readonly Envelope[] },
  act: Act<T>,
): Promise<T> {
  const { store, newId, pin, unsealed, envelopes } = context;
  const signer = signerWith(pin, (payload) => {
    const index = unsealed.findIndex((one) => isSameDecision(one.payload, payload));
    const [signed, envelope] = [unsealed[index], envelopes[index]];
    if (!signed || !envelope) throw new AppError('conflict', 'it has changed since you signed it: check it again');
    const { position, head } = payload;
    if (!pin.passkey && (signed.payload.position !== position || signed.payload.head !== head))
      throw new JournalGrew({ position, head });
    return envelope;
  });
  return act({ store, signer, newId });
}

/** Null if the person does not sign. */
export type SealElsewhere = (unsealed: Unsealed) => Promise<Envelope | null>;

/** Signs one record for a place that is in no store yet, such as the end of a recovered journal. */
export async function signedElsewhere(
  place: Parameters<typeof signRecord>[0],
  pin: PinnedKey,
  { record, binding }: { readonly record: UnsignedRecord; readonly binding: Binding },
  seal: SealElsewhere,
): Promise<SignedRecord | null> {
  const made: { unsealed?: Unsealed } = {};
  const signer = signerWith(pin, (payload, plain) => {
    made.unsealed = { payload, record: plain };
    return emptyEnvelope;
  });
  const full = signRecord(place, signer, record, binding);
  const envelope = made.unsealed ? await seal(made.unsealed) : null;
  return envelope && { ...full, envelope };
}

/** Others wrote before this act: a key that is not a passkey must sign it again, for this place in the journal. */
export class JournalGrew extends Error {
  override readonly name = 'JournalGrew';
  readonly place: Pick<DecisionPayload, 'position' | 'head'>;
  constructor(place: JournalGrew['place']) {
    super('the journal grew since this was signed');
    this.place = place;
  }
}

/** Ends the use case instead of recording what it decided. */
class AsksToSign extends Error {
  override readonly name = 'AsksToSign';
}

const emptyEnvelope: Envelope = { payloadType, payload: '', signatures: [{ keyid: '0'.repeat(64), sig: '' }] };

/** Whether it is what was signed: only where and when may differ. */
function isSameDecision(
  signed: DecisionPayload,
  { nonce: _, at: __, position: ___, head: ____, ...now }: DecisionPayload,
): boolean {
  const { nonce, at, position, head } = signed;
  return canonicalJson(signed) === canonicalJson({ ...now, nonce, at, position, head });
}

function signerWith({ keyid, name, passkey }: PinnedKey, seal: ElsewhereSigner['seal']): ElsewhereSigner {
  return { keyid, name, isPasskey: passkey !== undefined, seal };
}

export function payloadBytes(payload: DecisionPayload): Buffer {
  return Buffer.from(canonicalJson(payload), 'utf8');
}

/**
 * Where in the journal the signature is bound to: a place that the fold still knows when the human has signed, though
 * agents go on writing meanwhile.
 */
function placeOf(store: Store): Pick<DecisionPayload, 'position' | 'head'> {
  const last = store.read().state.places.at(-1);
  return last ? { position: last.at, head: last.hash } : store.position;
}
