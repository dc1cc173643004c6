/**
 * A human's acts on passkeys, through the form. In a local store, the key ring of this machine changes; in a shared one,
 * a root key changes the team's ring (`../team/ring.ts`) first. Each act also adds a signed record to the journal: only
 * passkeys that it names meet a policy that asks for passkeys.
 */
import { passkeyProblem } from '../../core/fold/quorum.ts';
import { passkeyBinding } from '../../core/records/key.ts';
import type { State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { keyId } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { humanActor, signRecord, type Signing, type Unsigned } from '../decision/decisions.ts';
import { isPasskey, type PasskeyPin } from '../decision/passkey.ts';
import type { Signer } from '../decision/signer.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { KeyScope } from './acts.ts';
import { pinPasskey, retireKeys } from './enrolment.ts';
import type { PasskeyOffer } from './offers.ts';

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
  const [own, ...others] = scope.workspaces;
  if (!own.team()) pinPasskey(own, pin);
  const record = addedRecord(pin);
  const added = await recordIn(own, { signer, record, shown: scope.shown });
  for (const workspace of others)
    if (!workspace.team()) await recordIn(workspace, { signer, record, shown: scope.shown });
  return added ? 'added' : 'waiting';
}

function addedRecord({ keyid, publicKey, name, passkey }: Omit<PasskeyPin, 'enrolledAt'>): Unsigned {
  return { kind: 'key.passkeyAdded', v: 1, keyid, publicKey, name, passkey: { ...passkey } };
}

/**
 * Names a passkey of the key ring in the journal, so that it meets the policy. For `prepareSigned` and `commitSigned`
 * where the policy asks for passkeys.
 * @throws AppError `denied` where the policy asks for a trusted passkey
 */
export async function confirmPasskey({ store, signer, newId }: Signing, pin: PasskeyPin, shown: string): Promise<void> {
  const nonce = newId();
  const record = addedRecord(pin);
  await store.transact(humanActor(signer), ({ state, now }) => {
    const problem = confirmProblem(state, pin, signer);
    if (problem !== null) throw new AppError('denied', problem);
    const signed = signRecord(store, signer, record, { shown, nonce, at: now });
    return { records: [signed], result: null };
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
  { workspaces: [workspace, ...others], shown }: KeyScope,
  signer: Signer,
  { keyid, label }: { readonly keyid: string; readonly label: string },
): Promise<void> {
  const pin = requirePasskey(workspace, keyid);
  const named = pinOf({ ...pin, at: pin.enrolledAt }, pin.name, label);
  const record: Unsigned = { kind: 'key.passkeyRenamed', v: 1, keyid, name: pin.name, label: named.passkey.label };
  for (const one of [workspace, ...others])
    if (one === workspace || !one.team()) await recordIn(one, { signer, record, shown });
  if (!workspace.team()) pinPasskey(workspace, named);
}

/** Ends what a passkey signs; its earlier decisions stand. In a shared workspace, a root removes it from the ring. */
export async function giveUpPasskey(
  { workspaces: [workspace, ...others], shown }: KeyScope,
  signer: Signer,
  { keyid, why }: { readonly keyid: string; readonly why: 'lost' | 'takenOut' },
): Promise<void> {
  const pin = requirePasskey(workspace, keyid);
  const record: Unsigned = { kind: 'key.retired', v: 1, keyid, name: pin.name };
  for (const one of [workspace, ...others])
    if (one === workspace || !one.team()) await recordIn(one, { signer, record, shown });
  if (!workspace.team()) retireKeys(workspace, [keyid], why);
}

function requirePasskey(workspace: Workspace, keyid: string): PasskeyPin {
  const pin = workspace.pins().find((one) => one.keyid === keyid && !one.retired);
  if (!pin || !isPasskey(pin)) throw new AppError('conflict', 'this passkey is no longer trusted: check again');
  return pin;
}

interface PasskeyAct {
  readonly signer: Signer;
  readonly record: Unsigned;
  readonly shown: string;
}

/** False where the record would have no effect: nothing is written then. */
async function recordIn(workspace: Workspace, { signer, record, shown }: PasskeyAct): Promise<boolean> {
  const { state } = workspace.standing();
  if (!state) return false;
  const store = await workspace.store();
  if (store.readOnly) return false;
  const nonce = workspace.options.newId();
  return store.transact(humanActor(signer), ({ state, now }) => {
    if (!fits(state, record, signer)) return { records: [], result: false };
    const signed = signRecord(store, signer, record, { shown, nonce, at: now });
    return { records: [signed], result: true };
  });
}

function fits(state: State, record: Unsigned, { keyid, isPasskey: passkey = false }: Signer): boolean {
  if (record.kind === 'key.passkeyRenamed' && !state.passkeys.has(record.keyid)) return false;
  return passkeyProblem(state, record, { keyid, passkey }) === null;
}

/** The passkeys that the forms list, with the names that the journal knows, and whether they meet a policy here. */
export function listedPasskeys(pins: readonly PinnedKey[], state: State | null): ListedPasskey[] {
  return pins.filter(isPasskey).map((pin) => {
    const known = state?.passkeys.get(pin.keyid);
    return {
      keyid: pin.keyid,
      name: pin.name,
      label: known?.label ?? pin.passkey.label,
      origin: pin.passkey.origin,
      since: pin.enrolledAt,
      counts: known !== undefined && !state?.retiredKeys.has(pin.keyid),
      ...(pin.retired ? { retired: pin.retired } : {}),
    };
  });
}

export interface ListedPasskey {
  readonly keyid: string;
  readonly name: string;
  readonly label: string;
  readonly origin: string;
  readonly since: string;
  /** Whether it meets a policy that asks for passkeys in this workspace. */
  readonly counts: boolean;
  readonly retired?: NonNullable<PinnedKey['retired']>;
}
