/**
 * Which changed files a question or RFC concerns. There may be thousands of each, so files are found by their folders.
 * Ignores case, because any clone may have a file system that does.
 */
import { holding, seenFrom } from '../../core/kit/paths.ts';
import type { CheckRange } from './checkReport.ts';

export interface Scope {
  readonly globs: ReadonlySet<string>;
  /** Files that it is about, without holding them. */
  readonly paths: ReadonlySet<string>;
  /** The worktree in which it was raised, relative to the store's root. */
  readonly place: string;
}

export type Concerned = (scope: Scope) => ReadonlySet<string>;

/** @param here the worktree of the change, relative to the store's root */
export function findConcerned(range: Pick<CheckRange, 'files' | 'inside'>, here: string): Concerned {
  const known = new Map<string, Index>();
  return ({ globs, paths, place }) => {
    const index = known.get(place) ?? indexOf(range, place, here);
    known.set(place, index);
    const found = new Set<string>();
    for (const glob of globs)
      for (const { file, holds } of candidatesFor(index, glob)) if (!found.has(file) && holds(glob)) found.add(file);
    for (const path of paths) for (const { file } of candidatesFor(index, path, path)) found.add(file);
    return found;
  };
}

interface Seen {
  readonly file: string;
  readonly holds: (glob: string) => boolean;
}

interface Index {
  /** Files by each folder around them, and by their own path. `''` has all. */
  readonly within: ReadonlyMap<string, readonly Seen[]>;
  readonly exact: ReadonlyMap<string, readonly Seen[]>;
}

function indexOf({ files, inside }: Pick<CheckRange, 'files' | 'inside'>, place: string, here: string): Index {
  const within = new Map<string, Seen[]>();
  const exact = new Map<string, Seen[]>();
  for (const { path: file } of files)
    for (const reading of readings(inside(file), place, here)) {
      const seen = { file, holds: holding(reading, true) };
      const path = foldCase(reading);
      add(exact, path, seen);
      add(within, '', seen);
      for (const folder of prefixesOf(path)) add(within, folder, seen);
    }
  return { within, exact };
}

/**
 * A branch written in one worktree is checked in another, so a path is found by its place in the repository as well as
 * by its place on the disk.
 */
function readings(path: string | null, place: string, here: string): string[] {
  if (path === null) return [];
  const elsewhere = place === here ? null : seenFrom(place, here, path);
  return elsewhere === null || elsewhere === path ? [path] : [path, elsewhere];
}

/** The files below the part of a glob without wildcards, and those above the glob, such as a submodule. */
function* candidatesFor({ within, exact }: Index, glob: string, plain = plainPart(glob)): Generator<Seen> {
  yield* within.get(foldCase(plain)) ?? [];
  for (const path of ['.', ...prefixesOf(foldCase(glob))]) yield* exact.get(path) ?? [];
}

/** The folders before the first wildcard; a glob without one also holds what is below it. */
function plainPart(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  return wildcard < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)));
}

/** `a`, `a/b`, `a/b/c` for `a/b/c`. */
function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
