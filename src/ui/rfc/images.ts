/** Images of the workspace for a review: read on a human's request and sent as data, so that the page loads nothing. */
import fs from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { realPathInside } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

/** An image of the workspace that a human asked to see in a review: as data, or why there is none. */
export interface RfcImage {
  path: string;
  data?: string | undefined;
  problem?: string | undefined;
}

const imageBytes = 4 * 1024 * 1024;

const signatures: readonly (readonly [type: string, signature: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** From a file's first bytes, as Latin-1: its name proves nothing. */
export function imageType(start: string): string | undefined {
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}

export async function readImage(workspace: Workspace, path: string): Promise<RfcImage> {
  const file = realPathInside(workspace, path);
  if (file === null) return { path, problem: l10n.t('{0} is not a file of this workspace.', path) };
  try {
    const stat = await fs.stat(file);
    if (stat.isFile() && stat.size <= imageBytes) {
      const bytes = await fs.readFile(file);
      const type = imageType(bytes.subarray(0, 16).toString('latin1'));
      if (type !== undefined) return { path, data: `data:image/${type};base64,${bytes.toString('base64')}` };
    }
  } catch {
    return { path, problem: l10n.t('{0} cannot be read.', path) };
  }
  return {
    path,
    problem: l10n.t('{0} is not shown: only PNG, JPEG, GIF and WebP images of up to 4 MB are.', path),
  };
}
