/** What programs take without a schema is what the schema takes, unchanged. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as z from 'zod';
import { anchor, isPlainAnchor } from '../../../src/store/journal/anchor.ts';
import { isPlainRingRecord, makeRecord } from '../../../src/trust/ringRecords.ts';
import { isPlainKeyring, keyring } from '../../../src/trust/keyring.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const hash = 'a'.repeat(64);
const id = '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b';
const at = '2026-11-23T21:00:00.000Z';
const snapshot = {
  ...{ name: 'holdpoint-9-aaaaaaaaaaaaaaaa', stateHash: hash, databaseHash: hash, position: 9, head: hash, headAt: 3 },
  keys: hash,
  vouched: { keyid: hash, sig: 'QUJD' },
};

const current = { stateHash: hash, position: 9, head: hash, headAt: 3, keys: hash };

interface Form {
  readonly isPlain: (value: unknown) => boolean;
  readonly schema: Pick<z.ZodType, 'safeParse'>;
  /** What our programs write. */
  readonly ordinary: readonly Json[];
}

const forms: Readonly<Record<string, Form>> = {
  'state file': {
    isPlain: isPlainAnchor,
    schema: anchor,
    ordinary: [
      {
        ...{
          v: 1,
          root: '/a',
          workspace: id,
          epoch: null,
          position: 0,
          head: hash,
          snapshot: null,
          vouched: null,
          current: null,
        },
        ...{ worktrees: [], replaces: [] },
      },
      {
        ...{
          v: 1,
          root: '/a',
          workspace: id,
          epoch: id,
          position: 9,
          head: hash,
          snapshot,
          vouched: snapshot,
          current,
        },
        ...{ worktrees: [{ path: '/b', inode: 5 }], replaces: ['/c'] },
      },
    ],
  },
  'key ring': {
    isPlain: isPlainKeyring,
    schema: keyring,
    ordinary: [
      { v: 1, keys: [] },
      { v: 2, keys: [{ keyid: hash, publicKey: 'QUJD', name: 'Jane Doe', enrolledAt: at }] },
    ],
  },
};

const ringKey = `MCowBQYDK2VwAyEA${'A'.repeat(42)}A=`;
const ringRecord = {
  ...{ v: 1, workspace: id, seq: 0, prev: hash, at, by: hash, signature: `${'A'.repeat(85)}A==`, act: 'root' },
  key: { publicKey: ringKey, name: 'Jane Doe', kind: 'human' },
};

const ofTeams: Readonly<Record<string, Form>> = {
  'record of a key ring': {
    isPlain: isPlainRingRecord,
    schema: makeRecord(),
    ordinary: [
      ringRecord,
      { ...ringRecord, act: 'add' },
      { ...ringRecord, act: 'makeRoot', seq: 9 },
      { ...ringRecord, act: 'remove', upTo: 7 },
    ],
  },
};

/** Values that are nearly right in some place. */
const odd = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    ...['', ' a', 'a ', 'ä', '\ud800', 'a\n', 'a\u0000', `${hash}\n`, hash.toUpperCase(), 'QUJ', 'QQ==', '====', 'Q'],
    ...['2026-02-29T00:00:00.000Z', '2024-02-29T24:00:00.000Z', '2026-11-23T21:00:00Z', '0000-01-01T00:00:00.000Z'],
    ...['2024-02-29T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-11-23T21:60:00.000Z'],
    ...['00000000-0000-0000-0000-000000000000', id.toUpperCase(), `${id} `, 'x'.repeat(101), 'x'.repeat(1_001)],
    ...['src', 'src/**', '**', 'a/../b', './a', 'a//b', '/a', 'C:/a', 'a/', 'a/*', '.', '..', 'a\\b', 'a{b}', '.a/..b'],
    ...[
      'Q-0',
      'Q-1',
      'E-1',
      'E-01',
      'system',
      'a-1',
      'A-1',
      't 1',
      'A',
      'B',
      'sync',
      'high',
      'stop',
      '\u00a0a',
      'a\u0085',
    ],
    ...['😀', 'a\ufeff', '\ud800a', 'x'.repeat(10_001), 'x'.repeat(2_001), 1, 2],
    ...[-1, -0, 0, 0.5, 1e300, 2 ** 53, 2 ** 53 - 1, 10_000, null, true, [], {}],
  ),
);

/** Changes one place: another value, one member less, one more, or the same again. */
function changed(value: Json, path: number, to: Json, how: number): Json {
  const copy = JSON.parse(JSON.stringify({ value })) as { value: Json };
  const places: [holder: Record<string, Json>, name: string][] = [];
  const visit = (holder: Record<string, Json>) => {
    for (const [name, one] of Object.entries(holder)) {
      places.push([holder, name]);
      if (typeof one === 'object' && one !== null) visit(one as Record<string, Json>);
    }
  };
  visit(copy);
  const [holder, name]: [Record<string, Json>, string] = places[path % places.length] ?? [copy, 'value'];
  const inside = holder[name];
  if (how === 0) holder[name] = to;
  else if (how === 1 && name !== 'value') Reflect.deleteProperty(holder, name);
  else if (Array.isArray(inside)) inside.push(to);
  else if (typeof inside === 'object' && inside !== null)
    Object.defineProperty(inside, how === 2 ? 'more' : '__proto__', { value: to, enumerable: true });
  // As it is read: without holes in lists.
  return (JSON.parse(JSON.stringify(copy)) as { value: Json }).value;
}

describe('what is read without its schema', () => {
  for (const [name, { isPlain, schema, ordinary }] of Object.entries({ ...forms, ...ofTeams })) {
    it(`is every ordinary ${name}`, () => {
      for (const one of ordinary) {
        assert.ok(isPlain(one), JSON.stringify(one));
        assert.deepEqual(schema.safeParse(one).data, one);
      }
    });

    it(`is no ${name} that the schema refuses or changes`, () => {
      let plain = 0;
      fc.assert(
        fc.property(
          fc.constantFrom(...ordinary),
          fc.array(fc.tuple(fc.nat(40), odd, fc.nat(3)), { minLength: 1, maxLength: 3 }),
          (from, changes) => {
            const value = changes.reduce((one, [path, to, how]) => changed(one, path, to, how), from);
            if (!isPlain(value)) return;
            plain++;
            const parsed = schema.safeParse(value);
            assert.ok(parsed.success, JSON.stringify(value));
            assert.deepEqual(parsed.data, value);
          },
        ),
        { numRuns: 20_000 },
      );
      assert.ok(plain > 100, `only ${String(plain)} were taken`);
    });
  }
});
