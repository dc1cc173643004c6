/** The files and folders from which on something is held, whoever asks. */
import { fileScopes, heldPlace, openHolders } from './holds.ts';
import { seenFrom, folding, holdingItself, withParents } from '../kit/paths.ts';
import type { CurrentState } from '../state/state.ts';

/** Relative to the store's root, sorted. `here` is the worktree that is asked about. */
export function heldPlaces(state: CurrentState, here: string): string[] {
  const places = new Set<string>();
  for (const holder of openHolders(state)) {
    const place = heldPlace(holder, here);
    for (const glob of fileScopes(state, holder)) places.add(joinPlace(place, literalPart(glob)));
  }
  return [...places].sort();
}

function joinPlace(place: string, base: string): string {
  if (place === '.') return base;
  return base === '' ? place : `${place}/${base}`;
}

/** The folder or file before its first wildcard. */
function literalPart(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  return wildcard < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)));
}

/**
 * Tests of what holds a path, by the worktree that globs are seen from: thousands of holders share a few.
 * @param path cleaned, relative to `here`
 * @param test of the path as seen from that worktree, where it is in it
 */
export function testsByPlace(
  here: string,
  path: string,
  test: (seen: string) => (glob: string) => boolean,
): (place: string) => (glob: string) => boolean {
  const tests = new Map<string, (glob: string) => boolean>();
  return (place) => {
    let isHeldBy = tests.get(place);
    if (!isHeldBy) {
      const seen = seenFrom(place, here, path);
      isHeldBy = seen === null ? () => false : test(seen);
      tests.set(place, isHeldBy);
    }
    return isHeldBy;
  };
}

// Finds the holds of a file among thousands, by the folders or files that their globs begin with.

export interface HeldPaths<T> {
  /** @param place worktree that the globs are seen from, relative to the store's root */
  add(item: T, place: string, globs: readonly string[]): void;
  /**
   * The first that was added of those that hold the path itself; a path around everything that is held is not held.
   * @param path cleaned, relative to the worktree `here`
   * @param ignoreCase true where the file system folds case
   */
  first(path: string, here: string, ignoreCase: boolean): T | undefined;
  /**
   * Among them are all that hold the path or something below it: what they hold begins with the path, or the path with
   * that. Arguments as of `first`.
   */
  around(path: string, here: string): ReadonlySet<T>;
}

interface Held<T> {
  readonly item: T;
  /** How many were added before it. */
  readonly rank: number;
  readonly glob: string;
}

export function gatherHeldPaths<T>(): HeldPaths<T> {
  /** By the worktree, and there by the literal part of the glob, in a form that does not depend on case. */
  const places = new Map<string, Map<string, Held<T>[]>>();
  const keyOf = folding(true);
  let count = 0;
  return {
    add(item, place, globs) {
      const byPath = places.get(place) ?? new Map<string, Held<T>[]>();
      places.set(place, byPath);
      const rank = count++;
      for (const glob of globs) {
        const key = keyOf(literalPart(glob)) || '.';
        const there = byPath.get(key);
        if (there) there.push({ item, rank, glob });
        else byPath.set(key, [{ item, rank, glob }]);
      }
    },
    first(path, here, ignoreCase) {
      let found: Held<T> | undefined;
      for (const [place, byPath] of places) {
        const seen = seenFrom(place, here, path);
        if (seen === null || seen === '.') continue;
        const isHeldBy = holdingItself(seen, ignoreCase);
        for (const parent of withParents(keyOf(seen))) {
          const one = byPath.get(parent)?.find(({ glob }) => isHeldBy(glob));
          if (one && (!found || one.rank < found.rank)) found = one;
        }
      }
      return found?.item;
    },
    around(path, here) {
      const found = new Set<T>();
      for (const [place, byPath] of places) {
        const seen = seenFrom(place, here, path);
        if (seen === null) continue;
        const key = keyOf(seen);
        const above = withParents(key).map((parent) => byPath.get(parent) ?? []);
        const below = [...byPath].map(([one, held]) => (key === '.' || one.startsWith(`${key}/`) ? held : []));
        for (const { item } of [...above, ...below].flat()) found.add(item);
      }
      return found;
    },
  };
}
