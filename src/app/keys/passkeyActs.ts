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
import { humanActor, sign, type Signing, type Unsigned, type Signer } from '../decision/decisions.ts';
import { isPasskey, type PasskeyPin } from '../decision/passkey.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { recordKeyAct, type KeyScope } from './acts.ts';
import { pinKey, retireKeys } from './enrolment.ts';
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
