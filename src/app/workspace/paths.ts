/** Converts callers' paths (absolute or relative, any separator) to workspace-relative ones. */
import path from 'node:path';
import { cleanPath, PathError, requirePathText } from '../../core/kit/paths.ts';
import { errorCode, type FileSystem } from '../../store/journal/files.ts';
import { AppError } from './errors.ts';
import type { Answering } from './atGate.ts';

/** @throws AppError `bad_input` naming the field, for a path outside the workspace */
export function workspaceRelative(workspace: Answering, raw: string, field: string): string {
  return forField(raw, field, () => {
    const opened = openedName(workspace, raw);
    const written = fromWorktree(workspace, opened);
    return written ?? requireInside(workspace, realPath(workspace, opened));
  });
}

/**
 * The path as written and, if links lead elsewhere inside the workspace, the real path: a hold on either applies.
 * @throws AppError `bad_input` when the real path is outside
 */
export function allNames(workspace: Answering, raw: string, field: string): string[] {
  return forField(raw, field, () => {
    const opened = openedName(workspace, raw);
    const written = fromWorktree(workspace, opened);
    // Not `path.join`, which would resolve `link/..` to the folder that contains the link.
    const place = platformPath(workspace).isAbsolute(opened)
      ? opened
      : `${workspace.location.worktree}${path.sep}${opened}`;
    const real = requireInside(workspace, realPath(workspace, place));
    return written === null || written === real ? [real] : [written, real];
  });
}

/**
 * Names of a file in a commit: as git recorded it and, if links lead there, through the real path of its folder. The
 * file itself may be a link: a commit changes the link, not the file that it leads to.
 * @param file absolute, or relative to the worktree
 * @returns null for a name that no hold can have: outside of the workspace, too long, with a line break
 */
export function committedNames(workspace: Answering, file: string): string[] | null {
  const attempt = (name: () => string | null) => {
    try {
      return name();
    } catch (error) {
      if (error instanceof PathError || errorCode(error) !== undefined) return null;
      throw error;
    }
  };
  const { basename, dirname, isAbsolute, join } = platformPath(workspace);
  const place = isAbsolute(file) ? file : join(workspace.location.worktree, file);
  const written = attempt(() => fromWorktree(workspace, place));
  const real = attempt(() => fromWorktree(workspace, join(realPath(workspace, dirname(place)), basename(place))));
  const names = [...new Set([written, real].filter((name) => name !== null))];
  return names.length === 0 ? null : names;
}

function forField<T>(raw: string, field: string, names: () => T): T {
  try {
    requirePathText(raw);
    return names();
  } catch (error) {
    const code = errorCode(error);
    if (!(error instanceof PathError) && code === undefined) throw error;
    const why = error instanceof PathError ? error.message : `cannot be looked up (${code ?? ''})`;
    throw new AppError('bad_input', `${field} "${raw.slice(0, 200)}": ${why}`, { cause: error });
  }
}

/** Null for an absolute path outside the worktree. @throws PathError */
function fromWorktree(workspace: Answering, raw: string): string | null {
  if (!platformPath(workspace).isAbsolute(raw)) return cleanPath(raw);
  const inside = below(workspace, workspace.location.worktree, raw);
  if (inside === '') return '.';
  return inside === null ? null : cleanPath(inside);
}

/** The path relative to a folder; null outside of it. */
function below(workspace: Answering, folder: string, absolute: string): string | null {
  const { isAbsolute, relative, sep } = platformPath(workspace);
  const inside = relative(folder, absolute);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : inside;
}

function requireInside(workspace: Answering, absolute: string): string {
  const inside = fromWorktree(workspace, absolute);
  if (inside === null) throw new PathError(`must be inside the workspace ${workspace.location.worktree}`);
  return inside;
}

function platformPath({ options }: Answering): path.PlatformPath {
  return options.platform === 'win32' ? path.win32 : path.posix;
}

/** @throws PathError for a share or device on Windows */
function openedName({ options }: Answering, raw: string): string {
  const opened = options.platform === 'win32' ? openedOnWindows(raw.trim()) : raw;
  if (opened === null) throw new PathError('must be a plain path on a drive, or relative to the workspace');
  return opened;
}

function realPath(workspace: Answering, absolute: string): string {
  return realPathOf(workspace.options.fs, absolute);
}

/** What is at this place, or where a link there leads. What cannot be looked at may be a folder. */
export function kindAt(fs: FileSystem, absolute: string): 'folder' | 'file' | 'nothing' {
  try {
    const stat = fs.statSync(absolute, { throwIfNoEntry: false });
    return stat === undefined ? 'nothing' : stat.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    // A part of the path is a file.
    return errorCode(error) === 'ENOTDIR' ? 'nothing' : 'folder';
  }
}

/** Written as a folder: `db/`, whether it exists or not. */
export function endsAsFolder(raw: string): boolean {
  return /[/\\]\.?$/.test(raw.trim());
}

const linksAtMost = 40;

/**
 * Resolves links in the existing part of the path, and a final dangling link, because writing creates its target.
 * @throws Error with a code on a failed access
 */
export function realPathOf(fs: FileSystem, absolute: string, links = 0): string {
  try {
    return fs.realpathSync.native(absolute);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const place = realPathOf(fs, parent, links);
    const here = path.join(place, path.basename(absolute));
    if (fs.lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return here;
    if (links >= linksAtMost) throw error;
    return realPathOf(fs, path.resolve(place, fs.readlinkSync(here)), links + 1);
  }
}

/**
 * The real path of a given path, for opening it; null if it is missing or outside the worktree. Names of other machines
 * and devices are rejected before any file system access: on Windows an access alone would send the user's credentials
 * to the host in the path.
 */
export function realPathInside(workspace: Answering, raw: string): string | null {
  const { location, options } = workspace;
  const { resolve } = platformPath(workspace);
  try {
    requirePathText(raw);
    if (options.platform === 'win32' && !isPlainOnWindows(raw)) return null;
    const root = options.fs.realpathSync.native(location.worktree);
    const real = options.fs.realpathSync.native(resolve(location.worktree, raw));
    return below(workspace, root, real) === null ? null : real;
  } catch (error) {
    if (error instanceof PathError || errorCode(error) !== undefined) return null;
    throw error;
  }
}

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\xB9\xB2\xB3]|lpt[0-9\xB9\xB2\xB3])(?:[ .:].*)?$/i;

/** Accepts a plain drive or relative path: no share, no `\\?\`, no device, no alternate data stream, no `C:file`. */
export function isPlainOnWindows(raw: string): boolean {
  if (/^[\\/]{2}/.test(raw)) return false;
  const parts = raw.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  return parts.every((part) => part === '.' || part === '..' || !(device.test(part) || /[:<>"|?*]|[ .]$/.test(part)));
}

/**
 * The file that programs open by this name: without `\\?\`, without the stream behind a colon, and without dots and
 * blanks at the ends of names, which Windows ignores. Null for a share, a device path or `C:file`: these can lead anywhere.
 */
export function openedOnWindows(raw: string): string | null {
  const [, drive = '', rest = ''] = /^(?:[\\/]{2}[?.][\\/](?=[a-z]:))?([a-z]:)?(.*)$/is.exec(raw) ?? [];
  if (/^[\\/]{2}/.test(rest) || (drive !== '' && !/^(?:[\\/]|$)/.test(rest))) return null;
  return drive + rest.replaceAll(/[^\\/]+/g, (name) => (name === '..' ? name : withoutStream(name)));
}

function withoutStream(name: string): string {
  return name.replace(/:.*$/s, '').replace(/[ .]+$/, '') || '.';
}

/** `/c/code` in Git Bash, `/cygdrive/c/code` and, in WSL, `/mnt/c/code`; null for other paths. */
export function onMountedDrive(raw: string): string | null {
  const [, letter, rest = ''] = /^\/(?:cygdrive\/|mnt\/)?([a-z])((?:[\\/].*)?)$/is.exec(raw) ?? [];
  return letter === undefined ? null : `${letter}:${rest || '/'}`;
}
