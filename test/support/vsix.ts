import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './host.ts';

/** Packs this checkout's extension, which must be built, into a folder. */
export async function packInto(folder: string): Promise<string> {
  const packagePath = path.join(folder, 'holdpoint.vsix');
  await createVSIX({
    cwd: root,
    dependencies: false,
    packagePath,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return packagePath;
}
