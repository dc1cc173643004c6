/**
 * Decisions signed with a key on the person's side of a remote window. An Ed25519 key signs for exactly one place in
 * the journal, so that a decision is signed again when agents wrote meanwhile.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { Envelope } from '../../core/records/parts.ts';
import { hashOf } from '../../trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { AppError } from '../workspace/errors.ts';
import { commitAct, JournalGrew, payloadBytes, prepareAct } from '../decision/elsewhere.ts';
import type { Act, ElsewhereContext, Unsealed } from '../decision/elsewhere.ts';
import { contentOf, notThere } from './contents.ts';
import type { Content } from './contents.ts';

/** A decision with the content that its payload's `shown` is the hash of. */
export interface ItemToSign extends Unsealed, Content {}

export interface PersonsSideContext extends ElsewhereContext {
  /** One signature for each item, base64; null if the person does not sign. */
  readonly sign: (items: readonly ItemToSign[]) => Promise<readonly string[] | null>;
  /** Contents that a form showed and that are not in the journal. */
  readonly known?: readonly object[] | undefined;
}

/** Agents that write all the time cannot keep a decision away for ever: then the person tries again. */
const attempts = 50;

/**
 * Carries out an act with signatures from the person's side.
 * @returns null if the person does not sign
 * @throws AppError as the use case does; `denied` for an act that cannot be signed there, and for a wrong signature
 */
export async function signOnPersonsSide<T>(context: PersonsSideContext, act: Act<T>): Promise<T | null> {
  let items = withContent(context, await prepareAct(context, act));
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

/** Signs a recovery, which no store has. Null if the person does not sign. */
export async function signRecoveryThere(
  { pin, sign }: Pick<PersonsSideContext, 'pin' | 'sign'>,
  item: ItemToSign,
): Promise<Envelope | null> {
  const [signature] = (await sign([item])) ?? [];
  return signature === undefined ? null : envelopeOf(item, pin, signature);
}

function withContent({ store, known = [] }: PersonsSideContext, unsealed: readonly Unsealed[]): ItemToSign[] {
  const view = store.read();
  return unsealed.map((one) => {
    const { shown: hash } = one.payload;
    const content = contentOf(view, one.record, { hash, known });
    if (content === notThere) throw new AppError('denied', notSignedThere(one.record.kind));
    if (content === null || hashOf(content.shown) !== hash)
      throw new AppError('conflict', 'it has changed since it was shown: check it again');
    return { ...one, ...content };
  });
}

function notSignedThere(kind: string): string {
  return `Holdpoint Signer does not sign this (${kind}): do it in a window that works on your own machine`;
}

function envelopeOf({ payload }: Unsealed, { keyid, publicKey }: PinnedKey, sig: string): Envelope {
  const bytes = payloadBytes(payload);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, preAuthEncoding(payloadType, bytes), key, Buffer.from(sig, 'base64')))
    throw new AppError('denied', 'this signature does not count: it is not of the key on your side');
  return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid, sig }] };
}
