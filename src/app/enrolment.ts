/** Pinning a key on this machine: the human act that makes its signatures count. Only the editor imports this. */
import path from 'node:path';
import { replaceFile } from '../store/files.ts';
import { keyId } from '../trust/envelope.ts';
import type { PinnedKey } from '../trust/envelope.ts';
import { formatKeyring, keyringFile } from '../trust/keyring.ts';
import type { Workspace } from './workspace.ts';

/** @param publicKey SPKI DER of an Ed25519 key */
export function enrolKey(workspace: Workspace, publicKey: Uint8Array, name: string): PinnedKey {
  const { fs, newId } = workspace.options;
  const pin: PinnedKey = {
    keyid: keyId(publicKey),
    publicKey: Buffer.from(publicKey).toString('base64'),
    name,
    enrolledAt: workspace.now(),
  };
  const others = workspace.pins().filter(({ keyid }) => keyid !== pin.keyid);
  const file = path.join(workspace.userFolder, keyringFile);
  fs.mkdirSync(workspace.userFolder, { recursive: true, mode: 0o700 });
  replaceFile(fs, file, Buffer.from(formatKeyring([...others, pin])), `${file}.${newId()}.tmp`);
  return pin;
}
