/** Which changed files a question or RFC concerns. Ignores case, because any clone may have a file system that does. */
import { holding } from '../../core/kit/glob.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import type { CheckRange } from './checkReport.ts';

export interface Scope {
  readonly globs: ReadonlySet<string>;
  /** Files that it is about, without holding them. */
  readonly paths: ReadonlySet<string>;
  /** The worktree in which it was raised, relative to the store's root. */
  readonly place: string;
}

type Concerned = (scope: Scope, files: readonly string[]) => string[];

/** @param here the worktree of the change, relative to the store's root */
export function concerning({ inside }: Pick<CheckRange, 'inside'>, here: string): Concerned {
  const known = new Map<string, Reading[]>();
  const readingsOf = (place: string, file: string): Reading[] => {
    const key = `${place}\0${file}`;
    const found = known.get(key) ?? readings(inside(file), place, here);
    known.set(key, found);
    return found;
  };
  return ({ globs, paths, place }, files) =>
    files.filter((file) =>
      readingsOf(place, file).some(
        ({ holds, isNamed }) => [...globs].some((glob) => holds(glob)) || [...paths].some((path) => isNamed(path)),
      ),
    );
}

interface Reading {
  readonly holds: (glob: string) => boolean;
  readonly isNamed: (path: string) => boolean;
}

/**
 * A branch written in one worktree is checked in another, so a path counts by its place in the repository as well as by
 * its place on the disk.
 */
function readings(path: string | null, place: string, here: string): Reading[] {
  if (path === null) return [];
  const elsewhere = place === here ? null : seenFrom(place, here, path);
  return (elsewhere === null || elsewhere === path ? [path] : [path, elsewhere]).map((seen) => ({
    holds: holding(seen, true),
    isNamed: (named) => isWithin(folded(named), folded(seen)) || isWithin(folded(seen), folded(named)),
  }));
}

function isWithin(folder: string, path: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
