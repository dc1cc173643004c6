import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globHolds, holding, holdingItself } from '../../../src/core/kit/paths.ts';
import { holdGlob } from '../../../src/core/kit/fields.ts';
import { limits } from '../../../src/core/kit/limits.ts';
import { runs } from '../../support/runs.ts';
import { naiveGlob } from '../../support/store/model.ts';
import { globsOverlap } from '../../../src/core/state/quorum.ts';

const segment = fc.stringMatching(/^[ab]{1,3}$/);

const wanted = fc.oneof(
  { weight: 1, arbitrary: fc.constant('**') },
  { weight: 4, arbitrary: fc.stringMatching(/^[ab*?]{1,4}$/).map((text) => text.replace(/\*\*+/g, '*')) },
);

const joined = (part: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(part, { minLength: 1, maxLength }).map((parts) => parts.join('/'));

/** Whether the pattern matches a path below this one, found by trying the rests of the pattern as that path. */
function matchesBelow(pattern: string, path: string): boolean {
  const segments = pattern.split('/');
  return segments.some((_, from) => {
    const rest = segments.slice(from).map((one) => (one === '**' ? 'a' : one.replaceAll('*', '').replaceAll('?', 'a')));
    return naiveGlob(pattern, [path, ...rest.map((one) => one || 'a')].join('/'));
  });
}

/** A string that counts reads of its characters: measures work, not time. */
function counting(text: string): { text: string; looks: () => number } {
  let looks = 0;
  // The code reads it only through `split` and `normalize`; each segment is again a string that counts its reads.
  const spy = (value: string): string =>
    new Proxy(Object(value) as object, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
        const found = Reflect.get(target, key, target) as unknown;
        if (key === 'normalize') return () => spy(value);
        if (key === 'split') return (by: string) => value.split(by).map(spy);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    }) as unknown as string;
  return { text: spy(text), looks: () => looks };
}

describe('globs', () => {
  it('match like a naive implementation', () => {
    let matched = 0;
    let around = 0;
    fc.assert(
      fc.property(joined(wanted, 4), joined(segment, 4), (pattern, path) => {
        const expected = naiveGlob(pattern, path);
        assert.equal(globHolds(pattern, path), expected);
        assert.equal(holdingItself(path, false)(pattern), expected);
        assert.equal(holding(path, false)(pattern), expected || pattern.startsWith(`${path}/`));
        const isAround = expected || matchesBelow(pattern, path);
        assert.equal(holding(path, false, true)(pattern), isAround, `${pattern} below ${path}`);
        if (expected) matched++;
        else if (isAround) around++;
      }),
      { numRuns: runs(5_000) },
    );
    assert.ok(matched > runs(500), `only ${String(matched)} matched`);
    assert.ok(around > runs(250), `only ${String(around)} matched below`);
  });

  it('take time proportional to pattern length times path length', () => {
    const nasty: [string, string][] = [
      ['*a'.repeat(149) + 'b', 'a'.repeat(999)],
      ['a*'.repeat(149) + 'b', 'a'.repeat(999)],
      ['**/'.repeat(75) + 'a*'.repeat(37), 'a/'.repeat(499) + 'b'],
      ['*/'.repeat(149) + 'b', 'aa/'.repeat(333)],
      ['**/a/'.repeat(50) + 'b', 'a/'.repeat(499) + 'c'],
      ['?'.repeat(300), 'a'.repeat(1000)],
    ];
    let most = 0;
    for (const [pattern, path] of nasty) {
      const given = counting(path);
      assert.equal(globHolds(pattern, given.text), false);
      most = Math.max(most, given.looks());
      assert.ok(given.looks() <= 2 * pattern.length * path.length, `${pattern.slice(0, 9)}: ${String(given.looks())}`);
    }
    assert.ok(most > 10_000, 'reads are counted');
  });

  describe('hold', () => {
    function check(pattern: string, path: string, expected: boolean, ignoreCase = false): void {
      it(`${pattern} ${expected ? 'holds' : 'does not hold'} ${path}${ignoreCase ? ', ignoring case' : ''}`, () => {
        assert.equal(globHolds(pattern, path, ignoreCase), expected);
      });
    }

    check('src/auth', 'src/auth', true);
    check('src/auth', 'src/auth/deep/login.ts', true);
    check('src/auth', 'src/authority.ts', false);
    check('src/auth', 'src', false);
    check('src/*', 'src/a/b.ts', true);
    check('src/*.ts', 'src/a.ts', true);
    check('src/*.ts', 'src/a/b.ts', false);
    check('src/**/*.ts', 'src/a.ts', true);
    check('src/**', 'src', true);
    check('**/x.ts', 'x.ts', true);
    check('src/?.ts', 'src/a.ts', true);
    check('src/?.ts', 'src/ab.ts', false);
    check('SRC/A.ts', 'src/a.ts', false);
    check('SRC/A.ts', 'src/a.ts', true, true);
    check('src/e\u0301.ts', 'src/\u00e9.ts', true);
    check('src/\u00e9.ts', 'src/e\u0301.ts', true);
    check('a.ts', 'axts', false);
  });

  describe('can match beneath', () => {
    /** @param folder the answer for a folder, `file` that for a file or what does not exist */
    function check(pattern: string, path: string, folder: boolean, file = folder, ignoreCase = false): void {
      it(`${path}: ${pattern}${folder ? '' : ' cannot'}${folder === file ? '' : ', if it is a folder'}`, () => {
        assert.equal(holding(path, ignoreCase, true)(pattern), folder);
        assert.equal(holding(path, ignoreCase)(pattern), file);
      });
    }

    check('src/auth/*.ts', 'src', true);
    check('src/auth/*.ts', 'src/auth', true);
    check('src/auth', '.', true);
    check('**/x.ts', '.', true);
    check('**/x.ts', 'src', true, false);
    check('**/x.ts', 'src/deep/er', true, false);
    check('src/*/x.ts', 'src/a.ts', true, false);
    check('src/*/x.ts', 'src/a', true, false);
    check('src/*/x.ts', 'src/a/b', false);
    check('src/*/x.ts', 'lib/a', false);
    check('src/?/x/y.ts', 'src/a/x', true, false);
    check('src/?/x/y.ts', 'src/ab', false);
    check('src/**/x/*.ts', 'src/a/b', true, false);
    check('src/**/x/*.ts', 'src', true);
    check('src/**/x/*.ts', 'lib', false);
    check('a*/b/c', 'ab', true, false);
    check('a*/b/c', 'AB', false);
    check('a*/b/c', 'AB', true, false, true);
    check('src/auth', 'SRC', false);
    check('src/auth', 'SRC', true, true, true);
    check('src/auth', 'sr', false);
    check('src/auth', 'src/other', false);
  });

  describe('are normalized and validated', () => {
    function check(raw: string, expected: string | RegExp): void {
      it(JSON.stringify(raw.length > 40 ? `${raw.slice(0, 40)}… (${String(raw.length)})` : raw), () => {
        const parsed = holdGlob.safeParse(raw);
        if (typeof expected === 'string') assert.equal(parsed.data, expected);
        else assert.match(parsed.error?.issues[0]?.message ?? `accepted as ${String(parsed.data)}`, expected);
      });
    }

    check('./src\\auth/../api/*', 'src/api/*');
    check(' src/a ', 'src/a');
    check('', /must not be empty/);
    check('/etc/passwd', /inside the workspace/);
    check('C:\\Windows', /inside the workspace/);
    check('../other', /climbs out/);
    check('src/../../x', /climbs out/);
    check('.', /whole workspace/);
    for (const all of ['*', '**', '**/*', '*/**', '?*', '*?', '**/?*']) check(all, /whole workspace/);
    check('src/{a,b}', /only \* \*\* and \?/);
    check('src/[ab]', /only \* \*\* and \?/);
    check('src/**x', /only as a whole segment/);
    check('src/\u0000', /control characters/);
    check('src/\ud800', /surrogate/);
    check('x'.repeat(limits.glob + 1), /at most 300 characters/);
  });
});

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
