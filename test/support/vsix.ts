import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './host.ts';

/** Packs this checkout's extension or another one, which must be built, into a folder. */
export async function packInto(folder: string, extension = root): Promise<string> {
  const packagePath = path.join(folder, 'holdpoint.vsix');
  await createVSIX({
    cwd: extension,
    dependencies: false,
    packagePath,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return packagePath;
}
