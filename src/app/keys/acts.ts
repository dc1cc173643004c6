/**
 * Acts about keys, as humans take them in the form: the key ring of the machine is changed, and a signed record in each
 * store that is open says so, for the audit and for whoever reads the journal elsewhere. Only the editor imports this.
 */
import { hashOf } from '../../trust/canonical.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { parsePublicKeys } from '../../trust/publicKeys.ts';
import { signerName } from '../../core/records/decision.ts';
import { humanActor, signRecord } from '../decision/decisions.ts';
import type { Signer, Unsigned } from '../decision/decisions.ts';
import { enrolKey, retireKeys } from './enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What an act is about: the stores to record it in, the first of them the form's own. */
export interface KeyScope {
  readonly workspaces: readonly [Workspace, ...Workspace[]];
  /** Hash of what the form showed. */
  readonly shown: string;
}

/** Hash of the keys as a form shows them. */
export function shownKeysHash(pins: readonly PinnedKey[], candidate: PinnedKey | null): string {
  return hashOf([
    pins.map(({ keyid, name, retired }) => [keyid, name, retired?.at ?? null]),
    candidate && [candidate.keyid, candidate.name],
  ]);
}

/** The one key in what was pasted: a line as `holdpoint keys` prints it, base64 or PEM. @throws AppError `bad_input` */
export function readPastedKey(text: string): PinnedKey {
  let keys: PinnedKey[];
  try {
    keys = parsePublicKeys(text);
  } catch {
    throw new AppError('bad_input', 'this is not a public key of Holdpoint (Ed25519, as base64 or PEM)');
  }
  const [key] = keys;
  if (!key || keys.length > 1) throw new AppError('bad_input', 'paste one key at a time');
  return key;
}

/** Lets another editor of the same human sign, beside those that could. */
export async function enrolEditor(scope: KeyScope, signer: Signer, { keyid, publicKey, name }: PinnedKey) {
  await recordKeyAct(scope, signer, { kind: 'key.enrolled', v: 1, keyid, publicKey, name });
}

/** The private halves of `lost` are gone: `key`, which is pinned already, goes on in their place. */
export async function replaceLost(
  scope: KeyScope,
  signer: Signer,
  { keyid, publicKey, name }: PinnedKey,
  lost: readonly string[],
): Promise<void> {
  const [workspace] = scope.workspaces;
  const names = workspace.pins().filter((pin) => lost.includes(pin.keyid) && !pin.retired && pin.keyid !== keyid);
  if (names.length === 0) throw new AppError('conflict', 'none of these keys is trusted any more: look again');
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

/** @param old signs the new key, its last act; `next` is pinned already */
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
  if (known?.retired) throw new AppError('conflict', `this key was given up at ${known.retired.at}: it stays out`);
  const { keyid, publicKey } = key;
  await recordKeyAct(scope, signer, { kind: 'key.trusted', v: 1, keyid, publicKey, name: given.data });
  enrolKey(workspace, Buffer.from(publicKey, 'base64'), given.data);
}

/** @param isStranger no form of this editor let it in: then nothing it ever signed counts */
export async function takeOut(scope: KeyScope, signer: Signer, keyid: string, isStranger: boolean): Promise<void> {
  const [workspace] = scope.workspaces;
  const pin = workspace.pins().find((one) => one.keyid === keyid);
  if (!pin || pin.retired) throw new AppError('conflict', 'this key is not trusted any more: look again');
  if (keyid === signer.keyid) throw new AppError('bad_input', 'the key that signs this cannot be taken out');
  await recordKeyAct(scope, signer, { kind: 'key.retired', v: 1, keyid, name: pin.name });
  retireKeys(workspace, [keyid], isStranger ? 'stranger' : 'takenOut');
}

/** Into each store that can be written; for one that is in trouble the key ring speaks alone. */
async function recordKeyAct({ workspaces, shown }: KeyScope, signer: Signer, record: Unsigned): Promise<void> {
  for (const [index, workspace] of workspaces.entries()) {
    const { state } = workspace.standing();
    // Nothing was decided yet where nothing is.
    if (!state || (index > 0 && !state.workspace)) continue;
    const store = await workspace.store();
    if (store.readOnly) continue;
    const nonce = workspace.options.newId();
    store.transact(humanActor(signer), ({ now }) => ({
      records: [signRecord(store, signer, record, { shown, nonce, at: now })],
      result: null,
    }));
  }
}
