/** Changes the keys that are trusted on this machine, by human acts. Only the editor imports this. */
import path from 'node:path';
import { signerName } from '../../core/records/decision.ts';
import { putFile, readOrNull } from '../../store/journal/files.ts';
import { knownStores } from '../../store/journal/stateFile.ts';
import { keyId } from '../../trust/envelope.ts';
import {
  type PinnedKey,
  type Retirement,
  formatKeyring,
  keyringFile,
  parseKeyring,
  unreadableRing,
} from '../../trust/keyring.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Trusts a key, or renames it.
 * @param publicKey SPKI DER of an Ed25519 key
 * @throws AppError `bad_input` for an invalid name, `denied` where an administrator or a team manages keys, `conflict` for a
 * retired key (it never comes back), or when the key ring cannot be read: overwriting it would turn every decision by
 * its keys into a forgery
 */
export function enrolKey(workspace: Workspace, publicKey: Uint8Array, name: string): PinnedKey {
  return pinKey(workspace, { publicKey: Buffer.from(publicKey).toString('base64'), name: nameOfKey(name) });
}

/**
 * Trusts a key or passkey as it is, or renames it.
 * @throws AppError as `enrolKey`
 */
export function pinKey(
  workspace: Workspace,
  { publicKey, name, passkey }: Pick<PinnedKey, 'publicKey' | 'name' | 'passkey'>,
): PinnedKey {
  const bytes = Buffer.from(publicKey, 'base64');
  const keyid = keyId(bytes);
  const pins = changeablePins(workspace, bytes);
  const known = knownKey(pins, keyid);
  // Renaming a key does not change when it was enrolled.
  const enrolledAt = known?.enrolledAt ?? workspace.now();
  const pin: PinnedKey = { keyid, publicKey, name, enrolledAt, ...(passkey ? { passkey } : {}) };
  writePins(workspace, [...pins.filter((one) => one.keyid !== keyid), pin]);
  return pin;
}

/** @throws AppError `bad_input` */
export function nameOfKey(name: string): string {
  const given = signerName.safeParse(name);
  if (given.success) return given.data;
  throw new AppError('bad_input', `name: ${given.error.issues[0]?.message ?? 'is malformed'}`);
}

/** @throws AppError `conflict` for a retired key: it never comes back */
export function knownKey(pins: readonly PinnedKey[], keyid: string): PinnedKey | undefined {
  const known = pins.find((pin) => pin.keyid === keyid);
  if (!known?.retired) return known;
  const what = known.passkey ? 'passkey' : 'key';
  throw new AppError('conflict', `this ${what} was given up at ${known.retired.at}: it cannot be trusted again`);
}

/**
 * Adds keys as they are, retired ones included, to those of this machine; those that it knows stay as they are. For a
 * workspace that is about to leave its team, whose members' decisions remain valid here.
 * @throws AppError `conflict` when the key ring cannot be read
 */
export function pinKeys(workspace: Workspace, keys: readonly PinnedKey[]): void {
  const pins = strictPins(workspace);
  const isNew = ({ keyid }: PinnedKey) => !pins.some((pin) => pin.keyid === keyid);
  writePins(workspace, [...pins, ...keys.filter(isNew)]);
}

/**
 * Retires keys: they sign nothing from now on, and earlier signatures stand. A `stranger` has no valid signatures at
 * all.
 * @throws AppError as `enrolKey`
 */
export function retireKeys(workspace: Workspace, keyids: readonly string[], why: Retirement['why']): void {
  const pins = changeablePins(workspace);
  const upTo = why === 'stranger' ? {} : positions(workspace);
  const retired: Retirement = { at: workspace.now(), why, upTo };
  writePins(
    workspace,
    pins.map((pin) => (keyids.includes(pin.keyid) && !pin.retired ? { ...pin, retired } : pin)),
  );
}

/**
 * After recovery a journal may be shorter, so retirement positions are cut to its new end. Does nothing where an
 * administrator or a team manages keys.
 */
export function shortenRetirements(workspace: Workspace, workspaceId: string, position: number): void {
  if (workspace.managedPins() !== null || workspace.team() !== null) return;
  const pins = strictPins(workspace);
  if (!pins.some(({ retired }) => (retired?.upTo[workspaceId] ?? 0) > position)) return;
  const shorter = ({ upTo, ...rest }: Retirement): Retirement => {
    const end = upTo[workspaceId];
    return { ...rest, upTo: end === undefined ? upTo : { ...upTo, [workspaceId]: Math.min(end, position) } };
  };
  writePins(
    workspace,
    pins.map((pin) => (pin.retired ? { ...pin, retired: shorter(pin.retired) } : pin)),
  );
}

/** The position of each store of this user according to its state file, which every decision updates. */
function positions({ options: { fs }, userFolder }: Workspace): Record<string, number> {
  return Object.fromEntries(
    knownStores(fs, userFolder).anchors.map(({ workspace, position }) => [workspace, position]),
  );
}

function changeablePins(workspace: Workspace, publicKey?: Uint8Array): PinnedKey[] {
  const managed = workspace.managedPins();
  if (managed === null) {
    requireOwnRing(workspace);
    return strictPins(workspace);
  }
  const what = publicKey ? `add ${Buffer.from(publicKey).toString('base64')} to` : 'change';
  throw new AppError('denied', `The keys of this machine are managed: ask its administrator to ${what} ${managed}.`);
}

/**
 * Only a root changes the keys of a shared workspace, through the team's ring.
 * @throws AppError `denied`
 */
export function requireOwnRing(workspace: Workspace): void {
  const team = workspace.team();
  if (!team) return;
  const who = team.roots.length === 0 ? 'its root' : team.roots.join(' or ');
  throw new AppError('denied', `The keys of this workspace are its team’s: ask ${who} to change them.`);
}

function writePins(workspace: Workspace, pins: readonly PinnedKey[]): void {
  putFile(workspace.options, path.join(workspace.userFolder, keyringFile), formatKeyring(pins));
}

/**
 * Says how to mend a ring of the user that cannot be read: without it, every key is one that is not pinned.
 * @throws AppError `conflict`
 */
export function requireReadableRing(workspace: Workspace): void {
  if (workspace.managedPins() === null && workspace.team() === null) strictPins(workspace);
}

function strictPins(workspace: Workspace): PinnedKey[] {
  const { fs } = workspace.options;
  const file = path.join(workspace.userFolder, keyringFile);
  try {
    const ring = readOrNull(fs, file);
    return ring ? parseKeyring(ring.toString('utf8')) : [];
  } catch (cause) {
    throw new AppError('conflict', unreadableRing(file), { cause });
  }
}
