/** The files and folders from which on something is held, whoever asks. */
import { fileScopes, heldPlace, openHolders } from './holds.ts';
import { seenFrom } from '../kit/paths.ts';
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
