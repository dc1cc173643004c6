/**
 * Decisions that a passkey signs in a browser. They are prepared here, signed there, and committed here. Any use case
 * works, because both steps run the same one; if it records several decisions, the human signs all of them together.
 * The caller keeps what was prepared, for one use, and never takes it from the browser.
 *
 *     const act = (signing: Signing) => decideQuestion(signing, id, verdict, shown);
 *     const prepared = await prepareSigned(context, act); // its `options` go to navigator.credentials.get
 *     const outcome = await commitSigned({ ...context, prepared, assertion }, act);
 */
import type { DecisionPayload, PasskeyBinding } from '../../core/records/decision.ts';
import { passkeyBatch, type Envelope } from '../../core/records/parts.ts';
import type { Store } from '../../store/store.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import {
  assertionProblem,
  challengeOf,
  challengeOfAll,
  passkeyPublicKey,
  type PasskeySignature,
} from '../../trust/webauthn.ts';
import { AppError } from '../workspace/errors.ts';
import { emptyEnvelope, type PasskeySigner, type Signing } from './decisions.ts';

export type Act<T> = (signing: Signing) => Promise<T>;

export type PasskeyPin = PinnedKey & { readonly passkey: PasskeyBinding };

export function isPasskey(pin: PinnedKey): pin is PasskeyPin {
  return pin.passkey !== undefined;
}

export interface PasskeyContext {
  readonly store: Store;
  readonly newId: () => string;
  /** The passkey of the human at the browser, which must not be given up. */
  readonly pin: PasskeyPin;
}

/** For `navigator.credentials.get`; ids and challenge are base64url. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials: readonly { readonly type: 'public-key'; readonly id: string }[];
  readonly userVerification: 'required';
  /** Milliseconds; the caller forgets what was prepared after that. */
  readonly timeout: number;
}

export interface Prepared {
  readonly keyid: string;
  readonly payloads: readonly DecisionPayload[];
  readonly options: PasskeyRequest;
}

/** How long the human has, and the caller keeps what was prepared. */
const preparedForMs = 300_000;

/**
 * What the browser must sign for this act to be valid. Records nothing.
 * @param act a use case that records decisions
 * @throws AppError as the use case does; `conflict` when there is nothing to sign any more
 */
export async function prepareSigned(context: PasskeyContext, act: Act<unknown>): Promise<Prepared> {
  const { pin } = context;
  const payloads = await payloadsOf(context, act);
  if (payloads.length > passkeyBatch)
    throw new AppError('bad_input', `these are more than ${String(passkeyBatch)} decisions: sign fewer together`);
  return { keyid: pin.keyid, payloads, options: requestOf(pin, payloads) };
}

/** Runs the act up to the point where it would record what it decided. */
async function payloadsOf({ store, newId, pin }: PasskeyContext, act: Act<unknown>): Promise<DecisionPayload[]> {
  const payloads: DecisionPayload[] = [];
  const signer = signerWith(pin, (payload) => {
    payloads.push({ ...payload, ...placeOf(store) });
    return emptyEnvelope;
  });
  const transact: Store['transact'] = (actor, decide) =>
    store.transact(actor, (view) => {
      const decided = decide(view);
      if (payloads.length > 0) throw new AsksToSign();
      return decided;
    });
  const asking = Object.create(store, { transact: { value: transact } }) as Store;
  try {
    await act({ store: asking, signer, newId });
  } catch (error) {
    if (error instanceof AsksToSign) return payloads;
    throw error;
  }
  throw new AppError('conflict', 'there is nothing left to sign: it was decided, or it has changed');
}

/**
 * Records the act with the browser's signature.
 * @param act the same use case with the same input as in `prepareSigned`
 * @returns the result of the use case, which may also be that another decision came first
 * @throws AppError as the use case does; `denied` for a wrong signature; `conflict` when the act is no longer what was
 * signed
 */
export async function commitSigned<T>(
  context: PasskeyContext & { readonly prepared: Prepared; readonly assertion: PasskeySignature },
  act: Act<T>,
): Promise<T> {
  const { store, newId, pin, prepared, assertion } = context;
  const problem = pin.keyid === prepared.keyid ? wrongSignature(pin, prepared, assertion) : 'is of another passkey';
  if (problem !== null) throw new AppError('denied', `this signature is not valid: it ${problem}`);
  const signer = signerWith(pin, (payload) => {
    const signed = prepared.payloads.find((one) => isSameDecision(one, payload));
    if (!signed) throw new AppError('conflict', 'it has changed since you signed it: check it again');
    return envelopeOf(signed, prepared, assertion);
  });
  return act({ store, signer, newId });
}

/** Ends the use case instead of recording what it decided. */
class AsksToSign extends Error {
  override readonly name = 'AsksToSign';
}

/** Whether it is what was signed: only where and when may differ. */
function isSameDecision(
  signed: DecisionPayload,
  { nonce: _, at: __, position: ___, head: ____, ...now }: DecisionPayload,
): boolean {
  const { nonce, at, position, head } = signed;
  return canonicalJson(signed) === canonicalJson({ ...now, nonce, at, position, head });
}

function signerWith({ keyid, name }: PasskeyPin, seal: PasskeySigner['seal']): PasskeySigner {
  return { keyid, name, isPasskey: true, seal };
}

function payloadBytes(payload: DecisionPayload): Buffer {
  return Buffer.from(canonicalJson(payload), 'utf8');
}

/**
 * Where in the journal the signature is bound to: a place that the fold still knows when the human has signed, though
 * agents continue writing in the meantime.
 */
function placeOf(store: Store): Pick<DecisionPayload, 'position' | 'head'> {
  const last = store.read().state.places.at(-1);
  return last ? { position: last.at, head: last.hash } : store.position;
}

function wrongSignature(pin: PasskeyPin, { options }: Prepared, assertion: PasskeySignature): string | null {
  const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  if (!key) return 'is of a key that is not a passkey';
  return assertionProblem(assertion, { key, binding: pin.passkey, challenge: options.challenge });
}

function requestOf(
  { passkey: { rpId, credentialId } }: PasskeyPin,
  payloads: readonly DecisionPayload[],
): PasskeyRequest {
  return {
    challenge: challengeOfAll(payloads.map(challengeOfPayload)),
    rpId,
    allowCredentials: [{ type: 'public-key', id: credentialId }],
    userVerification: 'required',
    timeout: preparedForMs,
  };
}

function challengeOfPayload(payload: DecisionPayload): string {
  return challengeOf(preAuthEncoding(payloadType, payloadBytes(payload)));
}

function envelopeOf(payload: DecisionPayload, { keyid, payloads }: Prepared, assertion: PasskeySignature): Envelope {
  const { authenticatorData, clientDataJSON, signature } = assertion;
  const batch = payloads.length === 1 ? {} : { batch: payloads.map(challengeOfPayload) };
  return {
    payloadType,
    payload: payloadBytes(payload).toString('base64'),
    signatures: [
      {
        keyid,
        sig: Buffer.from(signature, 'base64url').toString('base64'),
        webauthn: { authenticatorData, clientDataJSON, ...batch },
      },
    ],
  };
}
