/** Programs make zod's schemas on first use: they must be those that zod makes at once. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

type Zod = typeof z;
interface Deferring {
  readonly deferSchemas: (names: readonly string[], load: () => Zod) => Zod;
}

const file = path.join(import.meta.dirname, '..', '..', 'scripts', 'lib', 'deferredSchemas.mjs');
const { deferSchemas } = (await import(pathToFileURL(file).href)) as Deferring;

/** Schemas as programs write them. */
const schemas = {
  text: ({ string, trim, minLength, refine }: Zod) =>
    string().check(
      trim(),
      minLength(2),
      refine((text) => text !== 'no', 'not this'),
    ),
  member: ({ strictObject, string, int, array, literal }: Zod) =>
    strictObject({
      ...{ v: literal(1), name: string().max(3).optional(), list: array(int().nonnegative()).min(1).default([7]) },
      time: z.iso.datetime({ precision: 3 }).nullable(),
    }),
  extended: ({ object, string, boolean }: Zod) =>
    object({ a: string(), b: boolean() })
      .omit({ b: true })
      .extend({ c: string().transform(Number) }),
  union: ({ discriminatedUnion, object, literal, number, record, string, union, tuple }: Zod) =>
    union([
      discriminatedUnion('kind', [
        object({ kind: literal('one'), at: number() }),
        object({ kind: literal('two'), of: record(string(), number()) }),
      ]),
      tuple([string(), number()]),
    ]),
  recursive: ({ object, array, string, lazy }: Zod) => {
    const tree: z.ZodType = object({ name: string(), children: array(lazy(() => tree)) });
    return tree;
  },
  getter: ({ object, array, string }: Zod) => {
    const tree = object({
      name: string(),
      get children(): z.ZodType {
        return array(tree);
      },
    });
    return tree;
  },
  coerced: ({ coerce, iso, base64, uuid }: Zod) =>
    coerce.number().int().or(iso.datetime()).or(base64()).or(uuid()).describe('a text'),
} satisfies Record<string, (zod: Zod) => z.ZodType>;

const values: readonly unknown[] = [
  ...[null, undefined, 0, -1, 7, '', ' ab ', 'no', 'abcd', '12', true, [], ['a', 1], {}, { kind: 'one', at: 1 }],
  ...[
    { kind: 'two', of: { a: 1 } },
    { kind: 'two', of: { a: 'b' } },
    { v: 1, time: null },
    { v: 1, time: 'x', more: 1 },
  ],
  ...[
    { v: 1, name: 'abc', list: [1], time: '2026-11-23T21:00:00.000Z' },
    { v: 1, list: [], time: null },
  ],
  ...[{ a: 'x', c: '3' }, { a: 'x' }, { name: 'a', children: [{ name: 'b', children: [] }] }],
  ...[{ name: 'a', children: [{ name: 'b' }] }, '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b', '2026-11-23T21:00:00.000Z'],
];

describe('schemas that are made on first use', () => {
  const defer = () => {
    let loads = 0;
    const load = () => {
      loads++;
      return z;
    };
    return { zod: deferSchemas(Object.keys(z), load), loads: () => loads };
  };

  for (const [name, make] of Object.entries(schemas))
    it(`accept and refuse the same: ${name}`, () => {
      const { zod, loads } = defer();
      const deferred = make(zod);
      assert.equal(loads(), 0, 'describing it loads zod');
      const direct = make(z);
      for (const value of values) {
        const expected = direct.safeParse(value);
        assert.deepEqual(deferred.safeParse(value).data, expected.data);
        assert.deepEqual(zod.safeParse(deferred, value).error?.issues, expected.error?.issues);
      }
      assert.equal(loads(), 1);
      assert.deepEqual(zod.toJSONSchema(deferred, { io: 'input' }), z.toJSONSchema(direct, { io: 'input' }));
      assert.ok(deferred instanceof z.ZodType && '_zod' in deferred);
    });

  it('know the words of enums without zod', () => {
    const { zod, loads } = defer();
    const all = zod.enum(['b', 'a', 'c']);
    const more = zod.enum([...all.exclude(['a']).options, 'd']);
    assert.deepEqual(
      [all.options, all.extract(['c', 'b']).options, more.options],
      [
        ['b', 'a', 'c'],
        ['c', 'b'],
        ['b', 'c', 'd'],
      ],
    );
    assert.ok('options' in more && !('options' in zod.string().regex(/a/).max(3)) && !('options' in zod.int().min(1)));
    assert.equal(loads(), 0);
    for (const made of [all, all.extract(['c', 'b']), more])
      assert.deepEqual([...made.options], Object.values(made.enum), 'zod has another order');
    const numbered = ['2', '1'] as const;
    assert.deepEqual(zod.enum(numbered).options, z.enum(numbered).options);
  });
});
