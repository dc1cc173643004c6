/** Finds the store that a path belongs to; the editor, the command line, MCP and hooks share this answer. */
import path from 'node:path';
import { errorCode, type FileSystem } from './files.ts';
import { problem, type Problem } from './problem.ts';
import { knownFolders, type FormerStore, type KnownFolders } from './stateFile.ts';

export interface StoreLocation {
  /** Absolute real path of the folder that has (or will have) `.holdpoint`. */
  readonly root: string;
  /** Absolute real path of the worktree or folder that contains the given path; relative paths start here. */
  readonly worktree: string;
  /** Set when the location itself cannot be trusted, for example a linked worktree whose repository is gone. */
  readonly problem: Problem | null;
  /** The store that the path belonged to earlier, if the path leads to another one now. */
  readonly former?: FormerStore | undefined;
}

/**
 * The innermost folder around the path whose store is in use, else the main worktree of the git repository, else the
 * given folder. Innermost, because a store is never started inside another one: an outer store is newer, and must not
 * hide the holds of the inner one.
 * @param folder absolute path of an existing folder
 */
export function findStore(fs: FileSystem, userFolder: string, folder: string): StoreLocation {
  return storeFinder(fs, userFolder)(folder);
}

/** Finds the stores of several folders; reads the user's state files once. */
export function storeFinder(fs: FileSystem, userFolder: string): (folder: string) => StoreLocation {
  const known = knownFolders(fs, userFolder);
  return (folder) => {
    const start = realPath(fs, folder);
    const found = locate(fs, known, { start, git: findGit(fs, start) });
    const former =
      linkedStore(fs, known, path.resolve(folder)) ?? formerWorktree(known, start) ?? linkedFrom(fs, known, start);
    return former && former.root !== found.root ? { ...found, former } : found;
  };
}

function locate(
  fs: FileSystem,
  known: KnownFolders,
  { start, git }: { readonly start: string; readonly git: Git | null },
): StoreLocation {
  const used = storeAround(known, start);
  if (used)
    return {
      root: used.root,
      worktree: git && isInside(used.place, git.worktree) ? git.worktree : used.place,
      problem: null,
    };
  if (git === null) return { root: start, worktree: start, problem: null };
  if (git.main === null)
    return {
      root: git.worktree,
      worktree: git.worktree,
      problem: problem('git', `${git.worktree} is a git worktree whose repository is missing.`),
    };
  return { root: storeAround(known, git.main)?.root ?? git.main, worktree: git.worktree, problem: null };
}

/** The innermost folder around a path that is known to belong to a store, and that store's root. */
function storeAround(known: KnownFolders, start: string): { place: string; root: string } | null {
  for (const place of parentFolders(start)) {
    const root = known.rootOf(place);
    if (root !== undefined) return { place, root };
  }
  return null;
}

/** A root or worktree that is a link now, or below one. */
function linkedStore(fs: FileSystem, known: KnownFolders, folder: string): FormerStore | null {
  const used = storeAround(known, folder);
  if (!used) return null;
  const real = realPath(fs, used.place);
  return real === used.place ? null : leading(used.place, used.root, real);
}

/** Finds the store of the folder that the link leads to, named by its own path. Only where no store is known. */
function linkedFrom(fs: FileSystem, known: KnownFolders, start: string): FormerStore | null {
  if (storeAround(known, start)) return null;
  for (const place of known.places()) {
    const real = readableRealPath(fs, place);
    if (real !== place && isInside(real, start)) return leading(place, known.rootOf(place) ?? place, real);
  }
  return null;
}

/** A folder that cannot be reached leads nowhere: it must not stop every new workspace of this user. */
function readableRealPath(fs: FileSystem, place: string): string {
  try {
    return realPath(fs, place);
  } catch {
    return place;
  }
}

function leading(place: string, root: string, real: string): FormerStore {
  return { root, what: `${place} leads to ${real} now.` };
}

function formerWorktree(known: KnownFolders, start: string): FormerStore | null {
  for (const place of parentFolders(start)) {
    if (known.rootOf(place) !== undefined) return null;
    const root = known.formerRootOf(place);
    if (root !== undefined) return { root, what: `${place} was a worktree of ${root}, and is another folder now.` };
  }
  return null;
}

function realPath(fs: FileSystem, folder: string): string {
  const absolute = path.resolve(folder);
  try {
    return fs.realpathSync.native(absolute);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return absolute;
    throw error;
  }
}

/** A folder relative to the store's root, `/`-separated; `.` for the root itself. */
export function relativeTo(root: string, folder: string): string {
  return path.relative(root, folder).split(path.sep).join('/') || '.';
}

/** Whether a path is a folder or inside it. Both are absolute. */
export function isInside(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

export function* parentFolders(start: string): Generator<string> {
  for (let folder = start; ; folder = path.dirname(folder)) {
    yield folder;
    if (path.dirname(folder) === folder) return;
  }
}

interface Git {
  /** Root of the worktree the path is in. */
  readonly worktree: string;
  /** Root of the main worktree, or the common dir if there is none; null when the repository is missing. */
  readonly main: string | null;
}

function findGit(fs: FileSystem, start: string): Git | null {
  for (const folder of parentFolders(start)) {
    const entry = fs.lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false });
    if (entry) return { worktree: folder, main: mainWorktree(fs, folder) };
  }
  return null;
}

/** From a folder with `.git` to the folder that all worktrees of its repository share; null when it is missing. */
function mainWorktree(fs: FileSystem, folder: string): string | null {
  const entry = path.join(folder, '.git');
  if (fs.statSync(entry, { throwIfNoEntry: false })?.isDirectory()) return folder;
  const commonDir = followGitFile(fs, entry);
  if (commonDir === null || !fs.existsSync(path.join(commonDir, 'HEAD'))) return null;
  if (path.basename(commonDir) === '.git') return realPath(fs, path.dirname(commonDir));
  // A submodule names its main worktree; a bare repository, or a separate one without `core.worktree`, has none.
  const named = coreWorktree(readText(fs, path.join(commonDir, 'config')) ?? '');
  if (named === null) return realPath(fs, commonDir);
  const main = path.resolve(commonDir, named);
  return fs.existsSync(main) ? realPath(fs, main) : null;
}

/** The git common dir behind a `.git` file. Source: gitrepository-layout(5), "gitdir" and "commondir". */
function followGitFile(fs: FileSystem, file: string): string | null {
  const pointer = /^gitdir: (.+)$/m.exec(readText(fs, file) ?? '')?.[1];
  if (pointer === undefined) return null;
  const gitDir = path.resolve(path.dirname(file), pointer.trim());
  const common = readText(fs, path.join(gitDir, 'commondir'))?.trim();
  return common === undefined ? gitDir : path.resolve(gitDir, common);
}

function coreWorktree(config: string): string | null {
  const core = /^\[core\]\s*$([^[]*)/m.exec(config)?.[1] ?? '';
  return /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(core)?.[1] ?? null;
}

function readText(fs: FileSystem, file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}
