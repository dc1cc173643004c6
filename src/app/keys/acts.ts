/**
 * Key management by humans through the form. Each act changes the machine's key ring and adds a signed record to each
 * open store, for the audit and for readers elsewhere. Only the editor and `serve` import this.
 */

import path from 'node:path';
import * as z from 'zod';
import { passkeyProblem } from '../../core/fold/quorum.ts';
import { instant } from '../../core/kit/fields.ts';
import { passkeyBinding, passkeyPublicKey } from '../../core/records/decision.ts';
import type { State } from '../../core/state/state.ts';
import { putFile } from '../../store/journal/files.ts';
import type { View } from '../../store/store.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { keyId } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { parsePublicKeys } from '../../trust/publicKeys.ts';
import { humanActor, sign, type Signer, type Signing, type Unsigned } from '../decision/decisions.ts';
import { isPasskey, type PasskeyPin } from '../decision/passkey.ts';
import { AppError } from '../workspace/errors.ts';
import { readNote } from '../workspace/thisMachine.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { enrolKey, knownKey, nameOfKey, pinKey, requireOwnRing, retireKeys } from './enrolment.ts';

/** The stores in which an act is recorded, starting with the form's own. */
export interface KeyScope {
  readonly workspaces: readonly [Workspace, ...Workspace[]];
  /** Hash of the content that the form showed. */
  readonly shown: string;
}

/** Hash of the keys as shown in a form, and the one that is pasted there. */
export function shownKeysHash(pins: readonly PinnedKey[], candidate: PinnedKey | null): string {
  return hashOf([
    pins.map(({ keyid, name, retired }) => [keyid, name, retired?.at ?? null]),
    candidate && [candidate.keyid, candidate.name],
  ]);
}

/**
 * The single key in pasted text: a line printed by `holdpoint keys`, base64 or PEM.
 * @param accept `passkeys` where a root adds them for their humans, to a team's ring
 * @throws AppError `bad_input`
 */
export function readPastedKey(text: string, accept: { readonly passkeys?: boolean } = {}): PinnedKey {
  let keys: PinnedKey[];
  try {
    keys = parsePublicKeys(text);
  } catch {
    throw new AppError('bad_input', 'this is not a public key of Holdpoint (Ed25519, as base64 or PEM)');
  }
  const [key] = keys;
  if (key?.passkey && accept.passkeys !== true)
    throw new AppError('bad_input', 'a passkey is added by its human, in the form for passkeys');
  if (!key || keys.length > 1) throw new AppError('bad_input', 'paste one key at a time');
  return key;
}

/** Allows another editor of the same human to sign as well. */
export async function enrolEditor(scope: KeyScope, signer: Signer, { keyid, publicKey, name }: PinnedKey) {
  await recordOwn(scope, signer, { kind: 'key.enrolled', v: 1, keyid, publicKey, name });
}

/** Replaces the lost keys by `key`, which is already pinned. */
export async function replaceLost(
  scope: KeyScope,
  signer: Signer,
  { keyid, publicKey, name }: PinnedKey,
  lost: readonly string[],
): Promise<void> {
  const [workspace] = scope.workspaces;
  const names = workspace.pins().filter((pin) => lost.includes(pin.keyid) && !pin.retired && pin.keyid !== keyid);
  if (names.length === 0) throw new AppError('conflict', 'none of these keys is trusted any longer: check again');
  await recordOwn(scope, signer, {
    kind: 'key.lost',
    v: 1,
    ...{ keyid, publicKey, name },
    lost: names.map((pin) => ({ keyid: pin.keyid, name: pin.name })),
  });
  retireKeys(
    workspace,
    names.map((pin) => pin.keyid),
    'lost',
  );
}

/** @param old signs for the new key, as its last act; `next` is already pinned */
export async function rotate(scope: KeyScope, old: Signer, next: PinnedKey): Promise<void> {
  const { keyid, publicKey, name } = next;
  await recordOwn(scope, old, { kind: 'key.rotated', v: 1, from: old.keyid, keyid, publicKey, name });
  retireKeys(scope.workspaces[0], [old.keyid], 'rotated');
}

/** @throws AppError `conflict` for a key that is known already */
export async function trustKey(scope: KeyScope, signer: Signer, key: PinnedKey, name: string): Promise<void> {
  const [workspace] = scope.workspaces;
  const given = nameOfKey(name);
  knownKey(workspace.pins(), key.keyid);
  const { keyid, publicKey } = key;
  await recordOwn(scope, signer, { kind: 'key.trusted', v: 1, keyid, publicKey, name: given });
  enrolKey(workspace, Buffer.from(publicKey, 'base64'), given);
}

/** @param isStranger true if no form of this editor trusted it: then none of its signatures is valid */
export async function takeOut(scope: KeyScope, signer: Signer, keyid: string, isStranger: boolean): Promise<void> {
  const [workspace] = scope.workspaces;
  const pin = workspace.pins().find((one) => one.keyid === keyid);
  if (!pin || pin.retired) throw new AppError('conflict', 'this key is no longer trusted: check again');
  if (keyid === signer.keyid) throw new AppError('bad_input', 'the key that signs this cannot be removed');
  await recordOwn(scope, signer, { kind: 'key.retired', v: 1, keyid, name: pin.name });
  retireKeys(workspace, [keyid], isStranger ? 'stranger' : 'takenOut');
}

/** For acts on keys other than passkeys. @throws AppError `denied` where a team manages the keys */
async function recordOwn(scope: KeyScope, signer: Signer, record: Unsigned): Promise<void> {
  requireOwnRing(scope.workspaces[0]);
  await recordKeyAct(scope, signer, record);
}

/**
 * Records the act in each writable store; for an unusable one only the key ring changes.
 * @param fits whether it would have an effect; without one, it is not written
 * @returns whether it is in the first store
 */
async function recordKeyAct(
  { workspaces, shown }: KeyScope,
  signer: Signer,
  record: Unsigned,
  fits: (state: State) => boolean = () => true,
): Promise<boolean> {
  const [first] = workspaces;
  let isInFirst = false;
  for (const workspace of workspaces) {
    const { state } = workspace.standing();
    if (!state) continue;
    // The keys of another team are others. An empty store contains no decisions.
    const isEmpty = state.workspace === null && record.kind !== 'key.passkeyAdded';
    if (workspace !== first && (isEmpty || workspace.team() !== null)) continue;
    const store = await workspace.store();
    if (store.readOnly) continue;
    const { newId } = workspace.options;
    const isRecorded = await store.transact(humanActor(signer), ({ state: current, now }) => {
      const isFitting = fits(current);
      return { records: isFitting ? [sign({ store, signer, newId }, record, shown, now)] : [], result: isFitting };
    });
    if (workspace === first) isInFirst = isRecorded;
  }
  return isInFirst;
}

// Passkeys. In a local store, the key ring of this machine changes; in a shared one, a root key changes the team's ring
// (`../team/ring.ts`) first. Each act also adds a signed record to the journal: only passkeys that it names meet a policy
// that asks for passkeys.

export function pinOf(
  { publicKey, passkey }: PasskeyOffer,
  name: string,
  label: string,
): Omit<PasskeyPin, 'enrolledAt'> {
  const named = passkeyBinding().safeParse({ ...passkey, label });
  if (!named.success) throw new AppError('bad_input', `label: ${named.error.issues[0]?.message ?? 'is malformed'}`);
  return { keyid: keyId(Buffer.from(publicKey, 'base64')), publicKey, name, passkey: named.data };
}

/**
 * Adds a passkey of the signer, who has compared its code.
 * @returns `waiting`: a policy asks for passkeys, so a trusted passkey must confirm it (`confirmPasskey`); until then
 * it signs what the policy does not cover
 * @throws AppError as `enrolKey`
 */
export async function addPasskey(
  scope: KeyScope,
  signer: Signer,
  pin: Omit<PasskeyPin, 'enrolledAt'>,
): Promise<'added' | 'waiting'> {
  const [own] = scope.workspaces;
  if (!own.team()) pinKey(own, pin);
  return (await recordPasskeyAct(scope, signer, addedRecord(pin))) ? 'added' : 'waiting';
}

function addedRecord({ keyid, publicKey, name, passkey }: Omit<PasskeyPin, 'enrolledAt'>): Unsigned {
  return { kind: 'key.passkeyAdded', v: 1, keyid, publicKey, name, passkey: { ...passkey } };
}

/**
 * Names a passkey of the key ring in the journal, so that it meets the policy. For `prepareSigned` and `commitSigned`
 * where the policy asks for passkeys.
 * @throws AppError `denied` where the policy asks for a trusted passkey
 */
export async function confirmPasskey(signing: Signing, pin: PasskeyPin, shown: string): Promise<void> {
  const { store, signer } = signing;
  await store.transact(humanActor(signer), ({ state, now }) => {
    const problem = confirmProblem(state, pin, signer);
    if (problem !== null) throw new AppError('denied', problem);
    return { records: [sign(signing, addedRecord(pin), shown, now)], result: null };
  });
}

/** Why this signer cannot name a passkey in the journal; null when they can. */
export function confirmProblem(
  state: State,
  pin: PasskeyPin,
  { keyid, isPasskey: passkey = false }: Pick<Signer, 'keyid' | 'isPasskey'>,
): string | null {
  return passkeyProblem(state, addedRecord(pin), { keyid, passkey });
}

/** When each key last signed a decision of this workspace, by its id. */
export function lastSigned({ rows }: View): ReadonlyMap<string, string> {
  const latest = rows.all<{ keyid: string; at: string }>(
    'SELECT keyid, max(time) AS at FROM records WHERE keyid IS NOT NULL GROUP BY keyid',
  );
  return new Map(latest.map(({ keyid, at }) => [keyid, at]));
}

/** @throws AppError `bad_input` for a label of several lines; `conflict` for a passkey that is not in the ring */
export async function renamePasskey(
  scope: KeyScope,
  signer: Signer,
  { keyid, label }: { readonly keyid: string; readonly label: string },
): Promise<void> {
  const [workspace] = scope.workspaces;
  const pin = requirePasskey(workspace, keyid);
  const named = pinOf({ ...pin, at: pin.enrolledAt }, pin.name, label);
  const record: Unsigned = { kind: 'key.passkeyRenamed', v: 1, keyid, name: pin.name, label: named.passkey.label };
  await recordPasskeyAct(scope, signer, record);
  if (!workspace.team()) pinKey(workspace, named);
}

/** Ends what a passkey signs; its earlier decisions stand. In a shared workspace, a root removes it from the ring. */
export async function giveUpPasskey(
  scope: KeyScope,
  signer: Signer,
  { keyid, why }: { readonly keyid: string; readonly why: 'lost' | 'takenOut' },
): Promise<void> {
  const [workspace] = scope.workspaces;
  const { name } = requirePasskey(workspace, keyid);
  await recordPasskeyAct(scope, signer, { kind: 'key.retired', v: 1, keyid, name });
  if (!workspace.team()) retireKeys(workspace, [keyid], why);
}

function requirePasskey(workspace: Workspace, keyid: string): PasskeyPin {
  const pin = workspace.pins().find((one) => one.keyid === keyid && !one.retired);
  if (!pin || !isPasskey(pin)) throw new AppError('conflict', 'this passkey is no longer trusted: check again');
  return pin;
}

/** False where the record would have no effect: nothing is written then. */
function recordPasskeyAct(scope: KeyScope, signer: Signer, record: Unsigned): Promise<boolean> {
  const { keyid, isPasskey: passkey = false } = signer;
  return recordKeyAct(scope, signer, record, (state) => {
    if (record.kind === 'key.passkeyRenamed' && !state.passkeys.has(record.keyid)) return false;
    return passkeyProblem(state, record, { keyid, passkey }) === null;
  });
}

/** The passkeys that the forms list, with the names that the journal knows, and whether they meet a policy here. */
export function listedPasskeys(pins: readonly PinnedKey[], state: State | null) {
  return pins.filter(isPasskey).map((pin) => {
    const known = state?.passkeys.get(pin.keyid);
    return {
      keyid: pin.keyid,
      name: pin.name,
      label: known?.label ?? pin.passkey.label,
      origin: pin.passkey.origin,
      since: pin.enrolledAt,
      /** Whether it meets a policy that asks for passkeys in this workspace. */
      counts: known !== undefined && !state?.retiredKeys.has(pin.keyid),
      ...(pin.retired ? { retired: pin.retired } : {}),
    };
  });
}

// Passkeys that a browser has just made, for the editor's form to add. An offer adds nothing: any program of this user
// can write one. The page shows a code, and the form adds only the offer with the code that its human types.

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
