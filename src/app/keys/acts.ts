/**
 * Key management by humans through the form. Each act changes the machine's key ring and adds a signed record to each
 * open store, for the audit and for readers elsewhere. Only the editor imports this.
 */
import { hashOf } from '../../trust/canonical.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { parsePublicKeys } from '../../trust/publicKeys.ts';
import { signerName } from '../../core/records/decision.ts';
import { humanActor, signRecord, type Unsigned } from '../decision/decisions.ts';
import type { Signer } from '../decision/signer.ts';
import { enrolKey, requireOwnRing, retireKeys } from './enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
  await recordKeyAct(scope, signer, { kind: 'key.enrolled', v: 1, keyid, publicKey, name });
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
  await recordKeyAct(scope, signer, {
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
  await recordKeyAct(scope, old, { kind: 'key.rotated', v: 1, from: old.keyid, keyid, publicKey, name });
  retireKeys(scope.workspaces[0], [old.keyid], 'rotated');
}

/** @throws AppError `conflict` for a key that is known already */
export async function trustKey(scope: KeyScope, signer: Signer, key: PinnedKey, name: string): Promise<void> {
  const [workspace] = scope.workspaces;
  const given = signerName.safeParse(name);
  if (!given.success) throw new AppError('bad_input', `name: ${given.error.issues[0]?.message ?? 'is malformed'}`);
  const known = workspace.pins().find(({ keyid }) => keyid === key.keyid);
  if (known?.retired)
    throw new AppError('conflict', `this key was given up at ${known.retired.at}: it cannot be trusted again`);
  const { keyid, publicKey } = key;
  await recordKeyAct(scope, signer, { kind: 'key.trusted', v: 1, keyid, publicKey, name: given.data });
  enrolKey(workspace, Buffer.from(publicKey, 'base64'), given.data);
}

/** @param isStranger true if no form of this editor trusted it: then none of its signatures is valid */
export async function takeOut(scope: KeyScope, signer: Signer, keyid: string, isStranger: boolean): Promise<void> {
  const [workspace] = scope.workspaces;
  const pin = workspace.pins().find((one) => one.keyid === keyid);
  if (!pin || pin.retired) throw new AppError('conflict', 'this key is no longer trusted: check again');
  if (keyid === signer.keyid) throw new AppError('bad_input', 'the key that signs this cannot be removed');
  await recordKeyAct(scope, signer, { kind: 'key.retired', v: 1, keyid, name: pin.name });
  retireKeys(workspace, [keyid], isStranger ? 'stranger' : 'takenOut');
}

/** Records the act in each writable store that is not shared; for an unusable one only the key ring changes. */
async function recordKeyAct({ workspaces, shown }: KeyScope, signer: Signer, record: Unsigned): Promise<void> {
  requireOwnRing(workspaces[0]);
  for (const [index, workspace] of workspaces.entries()) {
    // Its keys are others.
    if (workspace.team()) continue;
    const { state } = workspace.standing();
    // An empty store contains no decisions.
    if (!state || (index > 0 && !state.workspace)) continue;
    const store = await workspace.store();
    if (store.readOnly) continue;
    const nonce = workspace.options.newId();
    await store.transact(humanActor(signer), ({ now }) => ({
      records: [signRecord(store, signer, record, { shown, nonce, at: now })],
      result: null,
    }));
  }
}
