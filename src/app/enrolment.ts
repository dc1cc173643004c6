/** Pinning a key on this machine: the human act that makes its signatures count. Only the editor imports this. */
import path from 'node:path';
import { signerName } from '../core/decision.ts';
import { makeFolderOf, readOrNull, replaceFile } from '../store/files.ts';
import { keyId } from '../trust/envelope.ts';
import type { PinnedKey } from '../trust/envelope.ts';
import { formatKeyring, keyringFile, parseKeyring } from '../trust/keyring.ts';
import { AppError } from './errors.ts';
import type { Workspace } from './workspace.ts';

/**
 * @param publicKey SPKI DER of an Ed25519 key
 * @throws AppError `bad_input` for a name that cannot be, `conflict` when the key ring cannot be read: to write it anew
 * would make every decision of the keys in it a forgery
 */
export function enrolKey(workspace: Workspace, publicKey: Uint8Array, name: string): PinnedKey {
  const { fs, newId } = workspace.options;
  const by = signerName.safeParse(name);
  if (!by.success) throw new AppError('bad_input', `name: ${by.error.issues[0]?.message ?? 'is malformed'}`);
  const managed = workspace.managedPins();
  if (managed !== null)
    throw new AppError(
      'denied',
      `The keys of this machine are managed: ask its administrator to add ${Buffer.from(publicKey).toString('base64')} to ${managed}.`,
    );
  const keyid = keyId(publicKey);
  const file = path.join(workspace.userFolder, keyringFile);
  const pins = strictPins(workspace, file);
  const pin: PinnedKey = {
    keyid,
    publicKey: Buffer.from(publicKey).toString('base64'),
    name: by.data,
    // Another name for a known key: it has been known since then all the same.
    enrolledAt: pins.find((known) => known.keyid === keyid)?.enrolledAt ?? workspace.now(),
  };
  const others = pins.filter((known) => known.keyid !== keyid);
  makeFolderOf(fs, file);
  replaceFile(fs, file, Buffer.from(formatKeyring([...others, pin])), `${file}.${newId()}.tmp`);
  return pin;
}

function strictPins(workspace: Workspace, file: string): PinnedKey[] {
  const { fs } = workspace.options;
  try {
    const ring = readOrNull(fs, file);
    return ring ? parseKeyring(ring.toString('utf8')) : [];
  } catch (cause) {
    throw new AppError('conflict', `the key ring ${file} cannot be read: mend it or move it away first`, { cause });
  }
}
