import path from 'node:path';
import { pack } from '../../scripts/lib/pack.ts';
import { root } from './host.ts';

/** Packs this checkout's extension, which must be built, into a folder. */
export async function packInto(folder: string): Promise<string> {
  const packagePath = path.join(folder, 'holdpoint.vsix');
  await pack(root, packagePath);
  return packagePath;
}
