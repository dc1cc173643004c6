/**
 * Passkeys that a browser has just made, for the editor's form to add. An offer adds nothing: any program of this user
 * can write one. The page shows a code, and the form adds only the offer with the code that its human types.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/fields.ts';
import { passkeyBinding, passkeyPublicKey } from '../../core/records/key.ts';
import { putFile } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { readNote } from '../workspace/privateFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

const offersFile = 'passkeys-offered.json';
const offeredForMs = 300_000;
const atMost = 5;

const passkeyOffer = () => z.strictObject({ publicKey: passkeyPublicKey, passkey: passkeyBinding(), at: instant });
/** `publicKey`: SPKI DER, base64. `at`: when the page made it. */
export type PasskeyOffer = z.infer<ReturnType<typeof passkeyOffer>>;

type OffersContext = Pick<Workspace, 'options' | 'userFolder' | 'now'>;

/**
 * Keeps a passkey for the form, for five minutes.
 * @returns the code that the page shows and the human types into the form
 */
export function offerPasskey(workspace: OffersContext, offer: PasskeyOffer): string {
  keepOffers(workspace, [...readPasskeyOffers(workspace), passkeyOffer().parse(offer)].slice(-atMost));
  return offerCode(offer);
}

/** The human turned it down in the editor: its page says so. */
export function dropPasskeyOffer(workspace: OffersContext, { publicKey }: PasskeyOffer): void {
  const others = readPasskeyOffers(workspace).filter((one) => one.publicKey !== publicKey);
  keepOffers(workspace, others);
}

function keepOffers(workspace: OffersContext, offers: readonly PasskeyOffer[]): void {
  putFile(workspace.options, fileOf(workspace), `${JSON.stringify({ v: 1, offers })}\n`);
}

/** The offers of the last five minutes; none when the file cannot be read. */
export function readPasskeyOffers(workspace: OffersContext): PasskeyOffer[] {
  const file = z.object({ v: z.literal(1), offers: z.array(passkeyOffer()) });
  const known = readNote(workspace.options.fs, fileOf(workspace), file)?.offers ?? [];
  const now = Date.parse(workspace.now());
  return known.filter(({ at }) => Math.abs(now - Date.parse(at)) < offeredForMs);
}

/**
 * Ten characters of the key's hash, without those that look alike: who wants another key to have the same code would
 * have to make 2^50 keys in five minutes.
 */
export function offerCode({ publicKey, passkey }: Pick<PasskeyOffer, 'publicKey' | 'passkey'>): string {
  const digest = BigInt(`0x${sha256(JSON.stringify([publicKey, passkey.credentialId, passkey.origin])).slice(0, 16)}`);
  const characters = Array.from({ length: 10 }, (_, index) => alphabet[Number((digest >> BigInt(5 * index)) & 31n)]);
  return characters.join('').replace(/(.{5})/, '$1-');
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function fileOf({ userFolder }: OffersContext): string {
  return path.join(userFolder, offersFile);
}
