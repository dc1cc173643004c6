/**
 * Resolves which files a call reaches, in the gate's paths. Anything uncertain is reported as such, and any hold then
 * applies.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsAsFolder, kindAt, realPathOf, onMountedDrive, openedOnWindows } from '../app/workspace/paths.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import { cleanPath, PathError, requireCertainPath } from '../core/kit/paths.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { errorCode, type FileSystem } from '../store/journal/files.ts';

export interface Reach {
  /** Relative to the workspace's worktree. */
  readonly inside: readonly string[];
  /** Elsewhere, relative to the store's root: in another of its worktrees, or in none. */
  readonly elsewhere: readonly string[];
  /** Those of `inside` that are folders, or may be. */
  readonly foldersInside: ReadonlySet<string>;
  /** Those of `elsewhere`. */
  readonly foldersElsewhere: ReadonlySet<string>;
  /** As written; their location is unknown. */
  readonly unresolved: readonly string[];
}

const scheme = /^[a-z][a-z0-9+.-]+:/i;
/** Inside these, a name means another file in each process. */
const perProcess = /^\/(?:proc|dev\/fd)(?:\/|$)|^\/dev\/stdin$/;
/** Writing to them changes no file. */
const sinks = new Set([
  '/dev/null',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/tty',
  '/dev/zero',
  '/dev/urandom',
  '/dev/random',
]);

/** Longer paths are cut. Characters. */
const longest = 900;
/** No file system allows longer names. Characters. */
const longestName = 255;

/** Most words of a command are not names of files: no file has a name like a long text. */
function canBeName(word: string): boolean {
  return !word.includes('\u0000') && word.split(/[/\\]/).every((name) => name.length <= longestName);
}

export interface Session extends Pick<HookCall, 'cwd'> {
  readonly platform: NodeJS.Platform;
  /** Absolute roots of the worktrees it may work in. */
  readonly worktrees: readonly string[];
  /** Whether something held may have this name, in some folder. */
  readonly isHeldName: (name: string) => boolean;
}

export function reachOf(workspace: Answering, tool: ToolUse, session: Omit<Session, 'platform'>): Reach {
  const { root, worktree } = workspace.location;
  const inside = new Set<string>();
  const elsewhere = new Set<string>();
  const foldersInside = new Set<string>();
  const foldersElsewhere = new Set<string>();
  const { fs, platform } = workspace.options;
  const unresolved = visitPlaces(fs, tool, { ...session, platform }, (place, mayBeFolder) => {
    const here = path.relative(worktree, place);
    // A folder above holds everything in it.
    const name = here === '' || isAbove(here) ? '.' : climbs(here) ? null : cleanPath(here);
    if (name !== null) {
      inside.add(name);
      if (mayBeFolder) foldersInside.add(name);
    }
    if (climbs(here)) {
      const there = path.relative(root, place);
      const outer = isAbove(there) ? '.' : there.split(path.sep).join('/') || '.';
      elsewhere.add(outer);
      if (mayBeFolder) foldersElsewhere.add(outer);
    }
  });
  return { inside: [...inside], elsewhere: [...elsewhere], foldersInside, foldersElsewhere, unresolved };
}

function isAbove(relative: string): boolean {
  return relative !== '' && relative.split(path.sep).every((part) => part === '..');
}

function climbs(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}

/** The names by which the file of this name is known; none where it may be anywhere. */
function namesOn(platform: NodeJS.Platform, raw: string): string[] {
  if (platform !== 'win32') return [raw];
  const opened = openedOnWindows(raw);
  return opened === null ? [] : [opened, onMountedDrive(opened)].filter((name) => name !== null);
}

/**
 * Visits the absolute path of each file that a call names, as written and the real one, and whether it is a folder or may
 * be one. What does not exist becomes a file, unless the call also names a folder, which may be moved or copied there.
 * @returns the names that cannot be resolved, or that `visit` refuses with a PathError
 */
export function visitPlaces(
  fs: FileSystem,
  tool: ToolUse,
  { cwd, worktrees, isHeldName, platform }: Session,
  visit: (place: string, mayBeFolder: boolean) => void,
): string[] {
  const unresolved = new Set<string>();
  const missing = new Set<string>();
  const folders = new Set<string>();
  const { isAbsolute, resolve, sep } = path;

  for (const file of tool.files) reached(file, ['.'], 'edited');
  for (const file of tool.searched)
    if (!isFound(file))
      unresolved.add(`${file.slice(0, 200)} (there is no such file here, so it may be one in any folder)`);
  // Most words of a command are not paths; ignore those that cannot be one.
  for (const { path: file, bases, perhaps, isCut } of tool.named) {
    const from = perhaps === true && !isHeldName(file) ? bases.filter((base) => base !== null) : bases;
    reached(file, from, 'word', isCut);
  }
  if (tool.wholeTree) for (const worktree of worktrees) place(worktree);
  if (folders.size > 0) for (const name of missing) visit(name, true);
  return [...unresolved];

  function isFound(name: string): boolean {
    return isAbsolute(name) || (cwd !== null && fs.existsSync(path.join(cwd, name)));
  }

  /** Of an edit, what cannot be resolved is unresolved; a word of a command may just not be a path. */
  function reached(raw: string, bases: readonly (string | null)[], role: 'edited' | 'word', isCut = false): void {
    const fail = () => {
      unresolved.add(raw.slice(0, 200));
    };
    if (sinks.has(raw)) return;
    try {
      if (/^file:/i.test(raw)) {
        // Hosts differ in how they read other forms, and some take them for names of files.
        if (/^file:\/\/\/(?!.*(?:\.\.|%2e|%2f|%5c|\\))/i.test(raw)) place(fileURLToPath(raw));
        else fail();
        return;
      }
      if (scheme.test(raw) && !/^[a-z]:/i.test(raw)) {
        if (role === 'edited') fail();
        // As a path, `https://x/../../src/a.js` is in a folder named `https:`.
        if (!/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(raw)) return;
      }
      if (role === 'edited') requireCertainPath(raw);
      else if (raw.trim() === '' || !canBeName(raw)) return;
      const names = namesOn(platform, raw);
      // A word that begins with two slashes can be the rest of a web address.
      if (names.length === 0 && (role === 'edited' || /^\\\\|\$/.test(raw))) fail();
      for (const from of names.flatMap((name) => startsOf(name, bases))) {
        if (from === null || perProcess.test(resolve(from))) fail();
        else place(from, isCut || endsAsFolder(raw));
      }
    } catch (error) {
      if (!(error instanceof PathError) && errorCode(error) === undefined) throw error;
      fail();
    }
  }

  /** Not `path.join`, which would resolve `link/..` to the folder that contains the link. */
  function startsOf(file: string, bases: readonly (string | null)[]): (string | null)[] {
    if (isAbsolute(file)) return [file];
    return bases.map((base) => {
      if (base === null) return null;
      if (isAbsolute(base)) return `${base}${sep}${file}`;
      return cwd === null ? null : `${cwd}${sep}${base}${sep}${file}`;
    });
  }

  /** A hold on either path applies. */
  function place(absolute: string, isFolder = false): void {
    const whole = resolve(absolute);
    // A folder stands for its contents.
    const written = whole.length > longest ? whole.slice(0, whole.lastIndexOf(sep, longest)) : whole;
    for (const name of new Set([written, realPathOf(fs, written === whole ? absolute : written)])) {
      const kind = kindAt(fs, name);
      if (kind === 'folder') folders.add(name);
      visit(name, isFolder || kind === 'folder' || written !== whole);
      if (kind === 'nothing') missing.add(name);
    }
  }
}
