/** A hold found by the folders that globs begin with is the one that looking at each of them finds. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gatherHeldPaths } from '../../../src/core/hold/heldPlaces.ts';
import { globHolds, seenFrom } from '../../../src/core/kit/paths.ts';
import { globs, paths, worktrees } from '../../support/globs.ts';
import { runs } from '../../support/runs.ts';

const hold = fc.record({ place: worktrees, globs: fc.array(globs(4), { minLength: 1, maxLength: 3 }) });

describe('what holds a file', () => {
  it('is found as by looking at each hold, whatever they hold and wherever the file is', () => {
    const found = { some: 0, none: 0 };
    fc.assert(
      fc.property(
        fc.array(hold, { maxLength: 12 }),
        fc.array(fc.tuple(paths(4), worktrees, fc.boolean()), { minLength: 20, maxLength: 40 }),
        (holds, asked) => {
          const held = gatherHeldPaths<number>();
          for (const [at, { place, globs }] of holds.entries()) held.add(at, place, globs);
          for (const [path, here, ignoreCase] of asked) {
            const at = holds.findIndex(({ place, globs }) => {
              const seen = seenFrom(place, here, path);
              return seen !== null && seen !== '.' && globs.some((glob) => globHolds(glob, seen, ignoreCase));
            });
            assert.equal(held.first(path, here, ignoreCase), at < 0 ? undefined : at, `${path} from ${here}`);
            found[at < 0 ? 'none' : 'some']++;
          }
        },
      ),
      { numRuns: runs(400) },
    );
    assert.ok(found.some > 20 && found.none > 20, JSON.stringify(found));
  });
});
