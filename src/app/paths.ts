/** From the paths that callers write (absolute or relative, any separator) to workspace-relative ones. */
import path from 'node:path';
import { cleanPath, PathError } from '../core/paths.ts';
import { errorCode } from '../store/files.ts';
import { AppError } from './errors.ts';
import type { Workspace } from './workspace.ts';

/** @throws AppError `bad_input` naming the field, for a path outside the workspace */
export function workspaceRelative(workspace: Workspace, raw: string, field: string): string {
  const { worktree } = workspace.location;
  const platformPath = workspace.options.platform === 'win32' ? path.win32 : path.posix;
  try {
    if (!platformPath.isAbsolute(raw)) return cleanPath(raw);
    const relative = platformPath.relative(worktree, raw);
    if (relative === '') return '.';
    if (relative.startsWith('..') || platformPath.isAbsolute(relative))
      throw new PathError(`must be inside the workspace ${worktree}`);
    return cleanPath(relative);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    throw new AppError('bad_input', `${field} "${raw.slice(0, 200)}": ${error.message}`);
  }
}

/**
 * The path as written and, where links lead elsewhere inside the workspace, the path it really is: a hold on either
 * stops it. @throws AppError `bad_input` when it really lies outside
 */
export function allNames(workspace: Workspace, raw: string, field: string): string[] {
  const written = workspaceRelative(workspace, raw, field);
  const real = realPath(workspace, path.join(workspace.location.worktree, written));
  const resolved = workspaceRelative(workspace, real, field);
  return resolved === written ? [written] : [written, resolved];
}

/** Resolves links in the part of the path that exists. */
function realPath(workspace: Workspace, absolute: string): string {
  try {
    return workspace.options.fs.realpathSync.native(absolute);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPath(workspace, parent), path.basename(absolute));
  }
}
