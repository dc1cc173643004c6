/**
 * Decisions that a passkey signs in a browser (`elsewhere.ts`).
 *
 *     const prepared = await prepareSigned(context, act); // its `options` go to navigator.credentials.get
 *     const outcome = await commitSigned({ ...context, prepared, assertion }, act);
 */
import type { DecisionPayload } from '../../core/records/decision.ts';
import { passkeyFormat } from '../../core/records/passkey.ts';
import type { PasskeyBinding } from '../../core/records/passkey.ts';
import type { Envelope } from '../../core/records/parts.ts';
import { askForFormat, hasFormat } from '../../core/state/askForFormat.ts';
import type { Store } from '../../store/store.ts';
import { payloadType, preAuthEncoding } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { assertionProblem, challengeOf, challengeOfAll, passkeyPublicKey } from '../../trust/webauthn.ts';
import type { PasskeySignature } from '../../trust/webauthn.ts';
import { AppError } from '../workspace/errors.ts';
import { humanActor } from './decisions.ts';
import { commitAct, payloadBytes, prepareAct } from './elsewhere.ts';
import type { Act, ElsewhereContext, Unsealed } from './elsewhere.ts';
import type { Signer } from './signer.ts';

/** A key in the ring that is a passkey. */
export type PasskeyPin = PinnedKey & { readonly passkey: PasskeyBinding };

export function isPasskey(pin: PinnedKey): pin is PasskeyPin {
  return pin.passkey !== undefined;
}

export interface PasskeyContext extends ElsewhereContext {
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
  /** One for each record of the act. */
  readonly unsealed: readonly Unsealed[];
  readonly options: PasskeyRequest;
}

/** How long the human has, and the caller keeps what was prepared. */
const preparedForMs = 300_000;

/**
 * What the browser must sign so that this act counts. Records nothing but, once, that older programs must be updated.
 * @param act a use case that records decisions
 * @throws AppError as the use case does; `conflict` when there is nothing to sign any more
 */
export async function prepareSigned(context: PasskeyContext, act: Act<unknown>): Promise<Prepared> {
  const { store, pin } = context;
  await requirePasskeyFormat(store, pin);
  const unsealed = await prepareAct(context, act);
  return { keyid: pin.keyid, unsealed, options: requestOf(pin, unsealed.map(payloadOf)) };
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
  const { pin, prepared, assertion } = context;
  const problem = pin.keyid === prepared.keyid ? wrongSignature(pin, prepared, assertion) : 'is of another passkey';
  if (problem !== null) throw new AppError('denied', `this signature does not count: it ${problem}`);
  const { unsealed } = prepared;
  const envelopes = unsealed.map(({ payload }) => envelopeOf(payload, prepared, assertion));
  return commitAct({ ...context, unsealed, envelopes }, act);
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

function envelopeOf(payload: DecisionPayload, { keyid, unsealed }: Prepared, assertion: PasskeySignature): Envelope {
  const { authenticatorData, clientDataJSON, signature } = assertion;
  const batch = unsealed.length === 1 ? {} : { batch: unsealed.map(payloadOf).map(challengeOfPayload) };
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

function payloadOf({ payload }: Unsealed): DecisionPayload {
  return payload;
}

/** Before the first passkey's signature. Unsigned: it only asks for newer programs. */
async function requirePasskeyFormat(store: Store, signer: Pick<Signer, 'name'>): Promise<void> {
  if (hasFormat(store.read().state, passkeyFormat)) return;
  await store.transact(humanActor(signer), ({ state }) => ({
    records: askForFormat(state, passkeyFormat),
    result: null,
  }));
}
