import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globHolds } from '../../../src/core/kit/paths.ts';
import { globsOverlap } from '../../../src/core/state/quorum.ts';

describe('whether two patterns can hold the same path', () => {
  for (const [a, b, expected] of [
    ['payments/**', 'payments/api', true],
    ['payments', 'payments/api/pay.ts', true],
    ['payments/**', 'src/**', false],
    ['payments/**', '**/pay.ts', true],
    ['payments/*.ts', 'payments/p?y.ts', true],
    ['payments/*.ts', 'payments/*.js', false],
    ['payments', 'Payments/x', true],
    ['payments', 'payments2', false],
    ['a/**/z', 'a/b/c', true],
    ['*/b', 'a/c/**', false],
    ['.', 'anything', true],
  ] as const)
    it(`${a} and ${b}: ${String(expected)}`, () => {
      assert.equal(globsOverlap(a, b), expected);
      assert.equal(globsOverlap(b, a), expected);
    });

  it('is never missed: a path that both hold means that they overlap', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '?', '*b');
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'bb'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(pattern, pattern, path, (a, b, place) => {
        if (globHolds(a, place) && globHolds(b, place)) assert.ok(globsOverlap(a, b), `${a} ${b} ${place}`);
      }),
      { numRuns: 3_000 },
    );
  });
});
