/** A key ring that counts as an administrator's, whichever user runs the test. */
import fs from 'node:fs';
import path from 'node:path';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { type PinnedKey, formatKeyring } from '../../../src/trust/keyring.ts';
import { realFs, type Sandbox } from './sandbox.ts';

/** Shows all files as those of one user; default: root. */
export function filesOf(uid = 0): FileSystem {
  return {
    ...realFs,
    lstatSync: ((...args: Parameters<typeof fs.lstatSync>) => {
      const stat = fs.lstatSync(...args);
      return stat && Object.assign(stat, { uid });
    }) as typeof fs.lstatSync,
  };
}

export function writeManagedRing(
  sandbox: Sandbox,
  pins: readonly PinnedKey[],
): { readonly folder: string; readonly file: string } {
  const folder = sandbox.at('etc');
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = path.join(folder, 'keys.json');
  fs.writeFileSync(file, formatKeyring(pins), { mode: 0o644 });
  return { folder, file };
}
