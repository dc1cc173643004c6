/** The files and folders from which on something is held, whoever asks. */
import { fileScopes, heldPlace, holderBriefs, isRfc, openBrief } from './holds.ts';
import { seenFrom } from '../kit/paths.ts';
import type { HeldBases, QuestionBrief, State } from '../state/state.ts';

/** Relative to the store's root; some perhaps twice. `here` is the worktree that is asked about. */
export function* heldPlaces(state: State, here: string): Generator<string> {
  const { widened, places } = state.unread ? state.unread.bases() : basesOf(state);
  if (widened) yield joined(here, '');
  for (const [worktree, bases, work] of places) {
    const place = worktree ?? here;
    for (const base of bases) yield joined(place, base);
    for (const id of work) for (const glob of state.work.get(id)?.holds ?? []) yield joined(place, literalPart(glob));
  }
  for (const id of state.rfcs.keys()) {
    const rfc = openBrief(state, id);
    if (rfc === null) continue;
    for (const glob of fileScopes(state, rfc)) yield joined(heldPlace(rfc, here), literalPart(glob));
  }
}

function joined(place: string, base: string): string {
  if (place === '.') return base;
  return base === '' ? place : `${place}/${base}`;
}

/** The folder or file before its first wildcard. */
export function literalPart(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  return wildcard < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)));
}

function basesOf(state: State): HeldBases {
  const gathered = gatherBases();
  for (const [, brief] of holderBriefs(state)) if (!isRfc(brief)) gathered.add(brief);
  return gathered.all();
}

interface Place {
  readonly bases: Set<string>;
  readonly work: Set<string>;
}

/** Gathers them from what holds now, as far as they do not depend on work items. */
export function gatherBases() {
  const places = new Map<string | null, Place>();
  let isWidened = false;
  return {
    add({ asker, work, alsoWork, holds, addedHolds, widened }: QuestionBrief): void {
      if (widened !== null) {
        isWidened = true;
        return;
      }
      const worktree = asker.worktree ?? null;
      const place = places.get(worktree) ?? { bases: new Set(), work: new Set() };
      places.set(worktree, place);
      for (const glob of [...holds, ...addedHolds]) place.bases.add(literalPart(glob));
      if (holds.length === 0) for (const id of work === null ? alsoWork : [work, ...alsoWork]) place.work.add(id);
    },
    all(): HeldBases {
      const sorted = [...places].map(
        ([worktree, { bases, work }]) => [worktree, [...bases].sort(), [...work]] as const,
      );
      return { widened: isWidened, places: sorted };
    },
  };
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
