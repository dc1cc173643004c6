import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { pack } from '../../scripts/lib/pack.ts';
import { root } from './host.ts';

/** Packs this checkout's extension or another one, which must be built, into a folder. */
export async function packInto(folder: string, extension = root): Promise<string> {
  const packagePath = path.join(folder, 'holdpoint.vsix');
  if (extension === root) await pack(root, packagePath);
  else await createVSIX({ cwd: extension, dependencies: false, packagePath });
  return packagePath;
}
