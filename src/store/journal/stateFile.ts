/**
 * The user-level state file of one store, kept outside the workspace. It records that the store is in use, how far its
 * journal had got (the anchor), and which snapshot to trust. A store that is recorded here but missing there is
 * UNKNOWN, never a fresh start.
 */
import path from 'node:path';
import { stateFolderVariable } from '../../core/kit/paths.ts';
import { sha256 } from '../../trust/canonical.ts';
import { namesIn, putFile, readOrNull, statOrNull, type FileSystem, journalPath } from './files.ts';
import { ProblemError } from './problem.ts';
import { isBase64, isCount, isListOf, isMap, isOneOf, isSha256, isString, isUuid } from '../../core/kit/quickChecks.ts';
import type { SavedPlace } from '../../core/records/decision.ts';

/** `state.json`, which gates and hooks read. */
export type CurrentEntry = Omit<SavedPlace, 'databaseHash' | 'vouched'>;

export interface SnapshotEntry extends SavedPlace {
  /** File name without extension. */
  readonly name: string;
}

/**
 * A folder besides the root whose files belong to this store. The inode tells it from another folder at the same path.
 */
interface KnownWorktree {
  readonly path: string;
  readonly inode: number;
}

export interface Anchor {
  readonly v: 1;
  readonly root: string;
  readonly workspace: string;
  /** Renewed by each recovery: observations of the journal before it no longer apply. */
  readonly epoch: string | null;
  /** End of the last line known to be valid, and its hash. */
  readonly position: number;
  readonly head: string;
  readonly snapshot: SnapshotEntry | null;
  readonly current: CurrentEntry | null;
  /** The latest that an editor signed: older than `snapshot` until it has compared that one, too. */
  readonly vouched: SnapshotEntry | null;
  readonly worktrees: readonly KnownWorktree[];
  /** Roots of former stores that a human's recovery here has replaced. */
  readonly replaces: readonly string[];
}

const signatureAtMost = 200;

const placeOfState = {
  stateHash: isSha256,
  position: (value: unknown) => isCount(value) && value > 0,
  head: isSha256,
  headAt: isCount,
};
const isCurrentEntry = isMap(placeOfState, { keys: isSha256 });
const isVouching = isMap({
  keyid: isSha256,
  sig: (value) => isBase64(value) && value.length <= signatureAtMost,
});
const isSnapshot = isMap(
  { ...placeOfState, name: isString, databaseHash: isSha256 },
  { keys: isSha256, vouched: isVouching },
);
const isWorktree = isMap({ path: isString, inode: (value) => Number.isSafeInteger(value) });

const isAnchor = isMap({
  v: isOneOf(1),
  root: isString,
  workspace: isUuid,
  epoch: (value) => value === null || isUuid(value),
  position: isCount,
  head: isSha256,
  snapshot: (value) => value === null || isSnapshot(value),
  current: (value) => value === null || isCurrentEntry(value),
  vouched: (value) => value === null || isSnapshot(value),
  worktrees: (value) => isListOf(value, isWorktree),
  replaces: (value) => isListOf(value, isString),
});

/** @throws Error for text that is not an anchor */
export function parseAnchor(text: string): Anchor {
  const found: unknown = JSON.parse(text);
  if (!isAnchor(found)) throw new Error('a state file has other contents');
  return found as Anchor;
}

interface KnownAnchor extends Omit<Anchor, 'worktrees' | 'replaces' | 'vouched' | 'current'> {
  /** Default: the one that is recorded. */
  readonly current?: CurrentEntry | null;
}

export interface StateFile {
  readonly path: string;
  /**
   * Null: no record of this store.
   * @throws Error when the file exists but cannot be read or parsed
   */
  read(): Anchor | null;
  /** Changes whenever the file is replaced or written; null without a file. Much cheaper than reading it. */
  stamp(): string | null;
  /** Whether this folder was made later than the file was written. False where the file system does not say. */
  isOlderThan(folder: string): boolean;
  /** Whether a program recorded this very place already, for this worktree too. It flushed the journal before. */
  isAt(place: Pick<KnownAnchor, 'workspace' | 'epoch' | 'position' | 'head'>): boolean;
  /** Moves the anchor forward; ignored if behind the stored one, or of an earlier epoch. */
  advance(next: KnownAnchor): void;
  /** Overwrites it with knowledge from elsewhere, after the file was rolled back or recreated. */
  testify(known: Omit<KnownAnchor, 'snapshot' | 'current'>): void;
  vouch(saved: SnapshotEntry): void;
  /** Removes the record of saved states, which then are not used. */
  forgetSnapshot(): void;
  /** Overwrites it and starts a new epoch: a human's act of recovery. */
  replace(next: Omit<KnownAnchor, 'epoch' | 'snapshot' | 'current'>): void;
}

/** A state file without knowledge: accepts any journal as it is. */
export const noAnchor: StateFile = {
  path: '',
  read: () => null,
  stamp: () => null,
  isOlderThan: () => false,
  isAt: () => false,
  advance: () => undefined,
  testify: () => undefined,
  vouch: () => undefined,
  forgetSnapshot: () => undefined,
  replace: () => undefined,
};

interface UserFolderOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Folder for per-user, per-machine state by OS convention (XDG base directories, Apple file system guide, Windows known
 * folders).
 */
export function userFolder({ platform, env, home }: UserFolderOptions): string {
  const { join, isAbsolute, normalize } = platform === 'win32' ? path.win32 : path.posix;
  const named = env[stateFolderVariable];
  if (named !== undefined && isAbsolute(named)) return named.includes('..') ? normalize(named) : named;
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'];
    return join(local !== undefined && isAbsolute(local) ? local : join(home, 'AppData', 'Local'), 'holdpoint');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'holdpoint');
  const xdg = env['XDG_STATE_HOME'];
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'state'), 'holdpoint');
}

export function storesFolder(userFolder: string): string {
  return path.join(userFolder, 'stores');
}

/** File name of a store's anchor. One file per store, so that stores never contend for it. */
export function stateFileName(root: string): string {
  return `${sha256(root).slice(0, 32)}.json`;
}

export function besideStateFile(
  stateFile: string,
  what: 'shared' | 'ring' | 'confirmed' | 'copy' | 'login',
  type: 'json' | 'jsonl' | 'txt' = 'json',
): string {
  return `${stateFile.replace(/\.json$/, '')}.${what}.${type}`;
}

/** Whether this user has joined a shared workspace here. Also true if that cannot be seen: this fails closed. */
export function isJoined(fs: FileSystem, stateFile: string): boolean {
  try {
    return fs.statSync(besideStateFile(stateFile, 'shared'), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Other files about a store have longer names. */
const stateFileNames = /^[0-9a-f]{32}\.json$/;

/** A store whose files a path led to earlier. What is known of it applies to the store that the path leads to now. */
export interface FormerStore {
  readonly root: string;
  /** How the path changed, in one sentence. */
  readonly what: string;
}

interface Place {
  readonly root: string;
  /** Absolute path of the worktree this program works in; recorded with what it writes. */
  readonly worktree: string;
  readonly former?: FormerStore | undefined;
}

export function openStateFile(
  fs: FileSystem,
  folder: string,
  { root, worktree, former }: Place,
  newId: () => string,
): StateFile {
  const stores = storesFolder(folder);
  const file = path.join(stores, stateFileName(root));
  const readOwn = () => readAnchor(fs, file);
  const read = () => {
    const own = readOwn();
    if (!former || own?.replaces.includes(former.root)) return own;
    const before = readAnchor(fs, path.join(stores, stateFileName(former.root)));
    return before ? continueAnchor(own, before, { root, hasJournal: hasJournal(fs, root), what: former.what }) : own;
  };
  const write = (next: KnownAnchor, { replaces = [], ...more }: Partial<Pick<Anchor, 'replaces' | 'vouched'>> = {}) => {
    const own = readable(readOwn);
    const anchored: Anchor = {
      vouched: own?.epoch === next.epoch ? own.vouched : null,
      current: null,
      ...next,
      ...more,
      worktrees: withWorktree(fs, root, worktree, own?.worktrees ?? []),
      replaces: [...new Set([...(own?.replaces ?? []), ...replaces])],
    };
    putFile({ fs, newId }, file, `${JSON.stringify(anchored)}\n`);
  };
  return {
    path: file,
    read,
    stamp() {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      return stat ? `${String(stat.ino)} ${String(stat.size)} ${String(stat.ctimeMs)}` : null;
    },
    isOlderThan(place) {
      const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      const made = fs.statSync(place, { throwIfNoEntry: false })?.birthtimeMs;
      return written !== undefined && made !== undefined && made > written;
    },
    isAt({ workspace, epoch, position, head }) {
      const own = readable(readOwn);
      if (!own || (former && !own.replaces.includes(former.root))) return false;
      const now = withWorktree(fs, root, worktree, own.worktrees);
      const isKnown = now.every(({ path: place, inode }) =>
        own.worktrees.some((known) => known.path === place && known.inode === inode),
      );
      const isSame = own.workspace === workspace && own.epoch === epoch;
      return isSame && own.position === position && own.head === head && isKnown;
    },
    replace: (next) => {
      write({ ...next, epoch: newId(), snapshot: null }, former ? { replaces: [former.root] } : {});
    },
    testify: (known) => {
      write({ ...known, snapshot: null });
    },
    vouch(saved) {
      const own = readOwn();
      if (own) write(own, { vouched: saved });
    },
    forgetSnapshot() {
      const own = readOwn();
      if (own) write({ ...own, snapshot: null, current: null });
    },
    advance(next) {
      const now = read();
      if (now && (now.epoch !== next.epoch || now.position > next.position)) return;
      const { snapshot = null, current = null } = now ?? {};
      write({ ...next, snapshot: next.snapshot ?? snapshot, current: next.current ?? current });
    },
  };
}

function hasJournal(fs: FileSystem, root: string): boolean {
  return fs.lstatSync(journalPath(root), { throwIfNoEntry: false }) !== undefined;
}

/**
 * What is known of a store that was at another path: the journal there has to contain both ends.
 * @throws ProblemError when it cannot be the same store
 */
function continueAnchor(
  own: Anchor | null,
  former: Anchor,
  { root, hasJournal, what }: { readonly root: string; readonly hasJournal: boolean; readonly what: string },
): Anchor {
  const isLost = own === null ? former.position > 0 && !hasJournal : own.workspace !== former.workspace;
  if (isLost) throw new ProblemError('moved', `${what} Its journal is not the one that this machine knows.`);
  if (own && own.position >= former.position) return own;
  return { ...former, root, worktrees: own?.worktrees ?? [], replaces: own?.replaces ?? [] };
}

function readable(read: () => Anchor | null): Anchor | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function withWorktree(
  fs: FileSystem,
  root: string,
  worktree: string,
  known: readonly KnownWorktree[],
): KnownWorktree[] {
  const others = known.filter(({ path: place }) => place !== worktree);
  const stat = worktree === root ? null : statOrNull(fs, worktree);
  return stat ? [...others, { path: worktree, inode: stat.ino }] : others;
}

function readAnchor(fs: FileSystem, file: string): Anchor | null {
  const bytes = readOrNull(fs, file);
  return bytes && parseAnchor(bytes.toString('utf8'));
}

export interface KnownFolders {
  /** The root of the store that a root or worktree belongs to; undefined if none is in use there. */
  rootOf(place: string): string | undefined;
  /** The root of the store that a worktree at this path belonged to, where another folder is now. */
  formerRootOf(place: string): string | undefined;
  /** All known roots and worktrees. */
  places(): Iterable<string>;
}

/**
 * An unreadable state file still shows by its name that a store is in use at its root. Opening that store then denies,
 * and the search never falls through to another store where nothing is held.
 * @throws Error when the files cannot be listed
 */
export function knownFolders(fs: FileSystem, folder: string): KnownFolders {
  const known = new Map<string, string>();
  const former = new Map<string, string>();
  const unreadable = new Set<string>();
  for (const { file, found } of anchorsIn(fs, folder)) {
    if (!found) {
      unreadable.add(path.basename(file));
      continue;
    }
    for (const { path: place, inode } of found.worktrees)
      if (statOrNull(fs, place)?.ino !== inode) former.set(place, found.root);
      else if (!known.has(place)) known.set(place, found.root);
    known.set(found.root, found.root);
  }
  return {
    rootOf: (place) => known.get(place) ?? (unreadable.has(stateFileName(place)) ? place : undefined),
    formerRootOf: (place) => former.get(place),
    places: () => known.keys(),
  };
}

export interface KnownStores {
  readonly anchors: readonly Anchor[];
  /** Paths of state files that cannot be read. Each belongs to a store whose root is not known. */
  readonly unreadable: readonly string[];
}

/** @throws Error when the files cannot be listed */
export function knownStores(fs: FileSystem, folder: string): KnownStores {
  const all = anchorsIn(fs, folder);
  return {
    anchors: all.flatMap(({ found }) => found ?? []),
    // A file that was removed meanwhile is not an unreadable one.
    unreadable: all.flatMap(({ file, found }) =>
      !found && fs.lstatSync(file, { throwIfNoEntry: false }) ? [file] : [],
    ),
  };
}

/** Null for those that cannot be read. @throws Error when the files cannot be listed */
function anchorsIn(fs: FileSystem, folder: string): { readonly file: string; readonly found: Anchor | null }[] {
  const stores = storesFolder(folder);
  return namesIn(fs, stores)
    .filter((name) => stateFileNames.test(name))
    .map((name) => path.join(stores, name))
    .map((file) => ({ file, found: readable(() => readAnchor(fs, file)) }));
}
