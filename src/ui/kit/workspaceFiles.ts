/** Files named by agents: shown only if they are really inside the workspace. */
import fs from 'node:fs';
import { realPathInside } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { FileRef } from './view.ts';

export function fileExists(workspace: Workspace, relative: string): boolean {
  const file = realPathInside(workspace, relative);
  return file !== null && fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

export function fileRef(workspace: Workspace, file: { readonly path: string; readonly line?: number }): FileRef {
  return {
    path: file.path,
    ...(file.line === undefined ? {} : { line: file.line }),
    exists: fileExists(workspace, file.path),
  };
}

/** A file or a folder. */
export function placeExists(workspace: Workspace, relative: string): boolean {
  return realPathInside(workspace, relative) !== null;
}
