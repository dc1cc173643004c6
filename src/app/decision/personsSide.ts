/**
 * Decisions signed with a key on the person's side of a remote window. An Ed25519 key signs for exactly one place in
 * the journal, so that a decision is signed again when agents wrote meanwhile.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { UnsignedRecord } from '../../core/records/decision.ts';
import type { Envelope } from '../../core/records/parts.ts';
import { shownAnswer, shownPolicy, shownQuestion } from '../../core/question/question.ts';
import type { State } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { AppError } from '../workspace/errors.ts';
import { commitAct, JournalGrew, payloadBytes, prepareAct } from './elsewhere.ts';
import type { Act, ElsewhereContext, Unsealed } from './elsewhere.ts';

/** A decision with the content that its payload's `shown` is the hash of. */
export interface ItemToSign extends Unsealed {
  readonly shown: object;
}

export interface PersonsSideContext extends ElsewhereContext {
  /** One signature for each item, base64; null if the person does not sign. */
  readonly sign: (items: readonly ItemToSign[]) => Promise<readonly string[] | null>;
}

/** Agents that write all the time cannot keep a decision away for ever: then the person tries again. */
const attempts = 50;

/**
 * Carries out an act with signatures from the person's side.
 * @returns null if the person does not sign
 * @throws AppError as the use case does; `denied` for an act that cannot be signed there, and for a wrong signature
 */
export async function signOnPersonsSide<T>(context: PersonsSideContext, act: Act<T>): Promise<T | null> {
  let items = withContent(context.store.read().state, await prepareAct(context, act));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const signatures = await context.sign(items);
    if (!signatures) return null;
    const envelopes = items.map((item, index) => envelopeOf(item, context.pin, signatures[index] ?? ''));
    try {
      return await commitAct({ ...context, unsealed: items, envelopes }, act);
    } catch (error) {
      if (!(error instanceof JournalGrew)) throw error;
      items = items.map((item) => ({ ...item, payload: { ...item.payload, ...error.place } }));
    }
  }
  throw new AppError('conflict', 'agents wrote while you signed: try again');
}

function withContent(state: State, unsealed: readonly Unsealed[]): ItemToSign[] {
  return unsealed.map((one) => {
    const shown = contentOf(state, one.record);
    if (!shown)
      throw new AppError(
        'denied',
        `Holdpoint Signer does not sign this (${one.record.kind}): it signs decisions on questions, and the policy`,
      );
    if (hashOf(shown) !== one.payload.shown)
      throw new AppError('conflict', 'it has changed since it was shown: check it again');
    return { ...one, shown };
  });
}

/** What a form showed of the item; null for kinds that are not signed there. */
function contentOf(state: State, record: UnsignedRecord): object | null {
  switch (record.kind) {
    case 'question.answered':
    case 'question.cancelled':
    case 'question.released':
    case 'question.askedBack': {
      const question = state.questions.get(record.id);
      return question ? shownQuestion(state, question) : null;
    }
    case 'answer.revoked':
    case 'refusal.lifted': {
      const question = state.questions.get(record.id);
      return question ? shownAnswer(state, question) : null;
    }
    case 'policy.changed':
      return shownPolicy(state);
    default:
      return null;
  }
}

function envelopeOf({ payload }: Unsealed, { keyid, publicKey }: PinnedKey, sig: string): Envelope {
  const bytes = payloadBytes(payload);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, preAuthEncoding(payloadType, bytes), key, Buffer.from(sig, 'base64')))
    throw new AppError('denied', 'this signature does not count: it is not of the key on your side');
  return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid, sig }] };
}
