/**
 * Resolves which files a call reaches, in the gate's paths. Anything uncertain is reported as such, and any hold then
 * applies.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsAsFolder, kindAt, realPathOf, onMountedDrive, openedOnWindows } from '../app/workspace/paths.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import { heldPlaces } from '../core/hold/heldPlaces.ts';
import { fileScopes, openHolders, type Holder } from '../core/hold/holds.ts';
import { cleanPath, folding, PathError, requireCertainPath } from '../core/kit/paths.ts';
import type { CurrentState } from '../core/state/state.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import type { NamedPath } from '../hosts/shell/word.ts';
import { errorCode, type FileSystem } from '../store/journal/files.ts';
import { parentFolders } from '../store/journal/findStore.ts';

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

type Becomes = Pick<NamedPath, 'isCut' | 'isFilled'>;

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
  for (const { path: file, bases, perhaps, ...becomes } of tool.named) {
    const from = perhaps === true && !isHeldName(file) ? bases.filter((base) => base !== null) : bases;
    reached(file, from, 'word', becomes);
  }
  if (tool.wholeTree) for (const worktree of worktrees) place(worktree);
  if (folders.size > 0) for (const name of missing) visit(name, true);
  return [...unresolved];

  function isFound(name: string): boolean {
    return isAbsolute(name) || (cwd !== null && fs.existsSync(path.join(cwd, name)));
  }

  /** Of an edit, what cannot be resolved is unresolved; a word of a command may just not be a path. */
  function reached(
    raw: string,
    bases: readonly (string | null)[],
    role: 'edited' | 'word',
    becomes: Becomes = {},
  ): void {
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
        else place(from, becomes.isCut === true || endsAsFolder(raw), becomes.isFilled);
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
  function place(absolute: string, isFolder = false, isFilled = false): void {
    const whole = resolve(absolute);
    // A folder stands for its contents.
    const written = whole.length > longest ? whole.slice(0, whole.lastIndexOf(sep, longest)) : whole;
    for (const name of new Set([written, realPathOf(fs, written === whole ? absolute : written)])) {
      const kind = kindAt(fs, name);
      if (kind === 'folder') folders.add(name);
      visit(name, isFolder || kind === 'folder' || (kind === 'nothing' && isFilled) || written !== whole);
      if (kind === 'nothing') missing.add(name);
    }
  }
}

// Other names of the files that a call reaches: hard links, and folders that are mounted in two places. Device and inode
// tell; real paths do not.

/** Entries that are looked at; package managers link files here, and their names are not held. */
const entriesAtMost = 5_000;
const skipped = new Set(['node_modules', '.git']);

type Stats = NonNullable<ReturnType<FileSystem['statSync']>>;

/** Null if there are too many files to tell. Paths are relative to the store's root. */
export function otherNames(workspace: Answering, state: CurrentState, reach: Reach): readonly string[] | null {
  const { fs } = workspace.options;
  const { root, worktree } = workspace.location;
  const targets = [
    ...reach.inside.map((file) => path.join(worktree, file)),
    ...reach.elsewhere.map((file) => path.join(root, file)),
  ];
  if (targets.length === 0) return [];
  const bases = heldPlaces(state, workspace.worktree);
  if (bases.length === 0) return [];
  const found = aliases(fs, targets, existingFiles(fs, root, bases));
  const isOurs = (file: string) => file === root || file.startsWith(`${root}${path.sep}`) || isFile(fs, file);
  const linked = targets.filter(isOurs).flatMap((target) => linkedFiles(fs, target));
  if (linked.includes(null)) return null;
  if (linked.length > 0) {
    const wanted = new Set(linked);
    for (const base of bases) {
      const place = path.join(root, base);
      for (const file of linkedFiles(fs, place)) {
        if (file === null) return null;
        if (wanted.has(file)) found.add(place);
      }
    }
  }
  return [...found].map((name) => path.relative(root, name).split(path.sep).join('/') || '.');
}

/** Those that exist of these places and of the folders above them, up to the root; each is looked at once. */
function existingFiles(fs: FileSystem, root: string, places: readonly string[]): ReadonlyMap<string, Stats> {
  const found = new Map<string, Stats>();
  const missing = new Set<string>();
  const isThere = (file: string): boolean => {
    if (found.has(file)) return true;
    if (missing.has(file)) return false;
    const stat = statOf(fs, file);
    if (stat) found.set(file, stat);
    else missing.add(file);
    return stat !== null;
  };
  // Places are sorted: thousands below one folder that does not exist follow each other.
  let below: string | null = null;
  for (const place of places) {
    if (below !== null && place.startsWith(below)) continue;
    let folder = root;
    let written = '';
    for (const name of ['', ...place.split('/')]) {
      if (name !== '' && name !== '.') folder = name === '..' ? path.dirname(folder) : `${folder}${path.sep}${name}`;
      if (written !== '' || name !== '') written += `${name}/`;
      if (isThere(folder)) continue;
      below = written;
      break;
    }
  }
  return found;
}

/** The targets below a folder that is also known by another name. */
function aliases(fs: FileSystem, targets: readonly string[], held: ReadonlyMap<string, Stats>): Set<string> {
  const above = new Map<string, { readonly folder: string; readonly target: string }[]>();
  for (const target of targets)
    for (const folder of parentFolders(target)) {
      const stat = statOf(fs, folder);
      if (!stat) continue;
      const known = above.get(identity(stat));
      if (known) known.push({ folder, target });
      else above.set(identity(stat), [{ folder, target }]);
    }
  const found = new Set<string>();
  for (const [place, stat] of held)
    for (const { folder, target } of above.get(identity(stat)) ?? [])
      if (folder !== place) found.add(path.join(place, path.relative(folder, target)));
  return found;
}

/** The files with several names at or below a path, as identities; null where there are too many files. */
function linkedFiles(fs: FileSystem, start: string): (string | null)[] {
  const found: string[] = [];
  const open = [start];
  let entries = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const stat = statOf(fs, file);
    if (stat?.isFile() === true && stat.nlink > 1) found.push(identity(stat));
    if (stat?.isDirectory() !== true) continue;
    const names = fs.readdirSync(file).filter((name) => !skipped.has(name));
    entries += names.length;
    if (entries > entriesAtMost) return [null];
    for (const name of names) {
      const each = path.join(file, name);
      if (fs.lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() !== true) open.push(each);
    }
  }
  return found;
}

function isFile(fs: FileSystem, file: string): boolean {
  return statOf(fs, file)?.isFile() === true;
}

function identity({ dev, ino }: Stats): string {
  return `${String(dev)}:${String(ino)}`;
}

function statOf(fs: FileSystem, file: string): Stats | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

// Holds whose files a command mentions anywhere in its text: `python -c "open('src/auth.js', 'w')"`.

/** Shorter names, and those that may be plain words, are used only as the text of a quotation or after a slash. */
const shortest = 4;

/** @param ignoreCase true where the file system folds case */
export function findMentions(state: CurrentState, command: string, ignoreCase: boolean): Map<Holder, string> {
  if (command === '') return new Map();
  const fold = folding(ignoreCase);
  // A backslash in a text of another language is written twice.
  const text = fold(command.replaceAll(/[\\/]+/g, '/'));
  const known = new Map<string, boolean>();
  const isNamed = (scope: string) => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    const named = names(text, fold(scope));
    known.set(scope, named);
    return named;
  };
  const found = new Map<Holder, string>();
  for (const holder of openHolders(state)) {
    const scope = fileScopes(state, holder).find(isNamed);
    if (scope !== undefined) found.set(holder, scope);
  }
  return found;
}

function names(text: string, scope: string): boolean {
  const wildcard = scope.search(/[*?]/);
  const literal = (wildcard < 0 ? scope : scope.slice(0, wildcard)).replace(/\/$/, '');
  if (literal === '') return false;
  const isPlain = literal.length < shortest || !/[./]/.test(literal);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + literal.length] ?? ' ';
    if ((isPlain ? /['"`/=]/ : /[^\w-]/).test(before) && (wildcard >= 0 || !/[\w-]/.test(after))) return true;
  }
  return false;
}

/** Whether a command's text may name a file that matches the glob, by the longest part of it without wildcards. */
export function mayMention(command: string, glob: string): boolean {
  const [longest = ''] = glob
    .split(/[*?]+/)
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .sort((one, other) => other.length - one.length);
  return command.replaceAll('\\', '/').toLowerCase().includes(longest.toLowerCase());
}

/** Whether something held may have this name, seen from a folder that is unknown. */
export function isHeldName(state: CurrentState, name: string): boolean {
  const wanted = name.toLowerCase();
  const mayHold = (scope: string) => {
    const segments = scope.toLowerCase().split('/');
    // What is held below a folder may have any name.
    return segments.includes(wanted) || /[*?]/.test(scope) || !segments.at(-1)?.includes('.');
  };
  return openHolders(state).some((holder) => fileScopes(state, holder).some(mayHold));
}
