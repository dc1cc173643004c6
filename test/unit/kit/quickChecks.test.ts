/** Files that programs read without a schema. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as z from 'zod';
import { parseAnchor } from '../../../src/store/journal/anchor.ts';
import { isPlainRingRecord, makeRecord } from '../../../src/trust/ringRecords.ts';
import { parseKeyring } from '../../../src/trust/keyring.ts';

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

const anchor = {
  ...{ v: 1, root: '/a', workspace: id, epoch: id, position: 9, head: hash, snapshot, vouched: snapshot, current },
  ...{ worktrees: [{ path: '/b', inode: 5 }], replaces: ['/c'] },
};
const pin = { keyid: hash, publicKey: 'QUJD', name: 'Zoë Doe', enrolledAt: at };
const passkey = { origin: 'https://a.example', rpId: 'a.example', credentialId: 'ab_-', label: 'Zoë’s phone' };
const retired = { at, why: 'lost', upTo: { [id]: 7 } };

const ownFiles: Readonly<Record<string, { readonly parse: (text: string) => unknown; readonly all: readonly Json[] }>> =
  {
    'state file': { parse: parseAnchor, all: [anchor, { ...anchor, epoch: null, snapshot: null, vouched: null }] },
    'key ring': {
      parse: (text) => ({ v: 2, keys: parseKeyring(text) }),
      all: [
        { v: 2, keys: [] },
        { v: 2, keys: [pin, { ...pin, passkey }, { ...pin, retired }] },
      ],
    },
  };
const optional = new Set(['keys', 'vouched', 'passkey', 'retired', id]);

describe('a file of our own', () => {
  it('that is a key ring has no longer texts in a passkey than its records allow', () => {
    const ring = (more: object) => JSON.stringify({ v: 2, keys: [{ ...pin, passkey: { ...passkey, ...more } }] });
    const origin = (length: number) => `https://${'a'.repeat(length - 'https://'.length)}`;
    for (const [longest, longer] of [
      [{ origin: origin(300) }, { origin: origin(301) }],
      [{ rpId: 'a'.repeat(253) }, { rpId: 'a'.repeat(254) }],
      [{ credentialId: 'a'.repeat(1_400) }, { credentialId: 'a'.repeat(1_401) }],
      [{ label: 'a'.repeat(100) }, { label: 'a'.repeat(101) }],
    ] as const) {
      parseKeyring(ring(longest));
      assert.throws(() => parseKeyring(ring(longer)));
    }
  });

  for (const [name, { parse, all }] of Object.entries(ownFiles))
    it(`that is a ${name} has all its members, each of its type, and no others`, () => {
      for (const one of all) {
        assert.deepEqual(parse(JSON.stringify(one)), one);
        const refused = (what: string, odd: Json) => {
          assert.throws(() => parse(JSON.stringify(odd)), what);
        };
        for (const member of membersOf(one)) {
          refused(`another ${member.name}`, member.changed({ odd: 1 }));
          if (!member.inList && !optional.has(member.name)) refused(`no ${member.name}`, member.changed(undefined));
          if (member.isObject)
            refused(`more in ${member.name}`, member.changed({ ...(member.value as object), more: 1 }));
        }
      }
    });
});

function membersOf(whole: Json) {
  const found: { name: string; value: Json; inList: boolean; isObject: boolean; changed: (to?: Json) => Json }[] = [];
  const visit = (value: Json, path: readonly string[]) => {
    for (const [name, one] of Object.entries(value as Record<string, Json>)) {
      const isObject = typeof one === 'object' && one !== null && !Array.isArray(one);
      const changed = (to?: Json) => {
        const copy = structuredClone(whole) as Record<string, Json>;
        const holder = path.reduce<Record<string, Json>>((at, step) => at[step] as Record<string, Json>, copy);
        if (to === undefined) Reflect.deleteProperty(holder, name);
        else holder[name] = to;
        return copy;
      };
      found.push({ name, value: one, inList: Array.isArray(value), isObject, changed });
      if (typeof one === 'object' && one !== null) visit(one, [...path, name]);
    }
  };
  visit(whole, []);
  return found;
}

interface Form {
  readonly isPlain: (value: unknown) => boolean;
  readonly schema: Pick<z.ZodType, 'safeParse'>;
  /** What our programs write. */
  readonly ordinary: readonly Json[];
}

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
  for (const [name, { isPlain, schema, ordinary }] of Object.entries(ofTeams)) {
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
