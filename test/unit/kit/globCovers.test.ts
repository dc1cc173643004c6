/** Containment of hold patterns, compared with what they hold. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globHolds } from '../../../src/core/kit/glob.ts';
import { globCovers } from '../../../src/core/kit/globCovers.ts';
import { runs } from '../../support/runs.ts';

describe('globCovers', () => {
  it('says whether all that one pattern holds is held by another', () => {
    for (const [wide, narrow] of [
      ['src/**', 'src/a/b.ts'],
      ['src', 'src/**'],
      ['src/**', 'src/**'],
      ['src/**', 'src/*/x'],
      ['src/*', 'src/a/**'],
      ['a/**/b', 'a/**/b'],
      ['a*', 'ab*c'],
      ['a?', 'a?'],
      ['package.json', 'package.json'],
    ] as const)
      assert.ok(globCovers(wide, narrow), `${wide} ${narrow}`);
    for (const [wide, narrow] of [
      ['src/**', 'lib/a.ts'],
      ['src/a', 'src'],
      ['src/*/b', 'src/**/b'],
      ['a?', 'a*'],
      ['a/**/b', 'a/**'],
      ['src/*.ts', 'src/*'],
      ['src/a', '*/a'],
      ['Src/a', 'src/a'],
    ] as const)
      assert.ok(!globCovers(wide, narrow), `${wide} ${narrow}`);
  });

  it('never says so where a path is held by the narrow one only', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '*', '**', '?', 'a*', '?b', '*b');
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'abb', 'c'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(pattern, pattern, fc.array(path, { minLength: 5, maxLength: 20 }), (wide, narrow, paths) => {
        if (!globCovers(wide, narrow)) return;
        for (const one of paths)
          if (globHolds(narrow, one)) assert.ok(globHolds(wide, one), `${wide} ${narrow} ${one}`);
      }),
      { numRuns: runs(3_000) },
    );
  });
});
