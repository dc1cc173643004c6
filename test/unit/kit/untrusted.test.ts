/** Agents as adversarial input: limits on length, count and rate. */
import assert from 'node:assert/strict';
import * as z from 'zod';
import { operations } from '../../../src/tools/catalog.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Lists the parts of a schema that have no limit. */
function unbounded(schema: Schema, at: string): string[] {
  const { type, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts = [...anyOf, ...oneOf, ...allOf];
  const own: string[] = [];
  if (type === 'string' && !isBoundedText(schema)) own.push(`${at}: a string without a maximum`);
  if (type === 'array' && schema.maxItems === undefined) own.push(`${at}: an array without a maximum`);
  // Its limit is in bytes, which JSON Schema cannot express; test/unit/kit/payload.test.ts tests it.
  const isPayload = at.endsWith('.payload_json');
  if (type === 'object' && schema.additionalProperties !== false && !isPayload)
    own.push(`${at}: takes further members`);
  if (type === undefined && parts.length === 0 && !isWord(schema)) own.push(`${at}: takes anything`);
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, part]) => unbounded(part, `${at}.${name}`)),
    ...(items ? unbounded(items, `${at}[]`) : []),
    ...parts.flatMap((part) => unbounded(part, at)),
  ];
}

function isWord({ enum: words, const: only }: Schema): boolean {
  return words !== undefined || only !== undefined;
}

/** A pattern without `*`, `+` and `{2,}` limits the length. */
function isBoundedText(schema: Schema): boolean {
  const { pattern, maxLength } = schema;
  return (
    isWord(schema) ||
    maxLength !== undefined ||
    (pattern?.startsWith('^') === true &&
      pattern.endsWith('$') &&
      !/[*+]|\{\d+,\}/.test(pattern.replaceAll('[+-]', '')))
  );
}

/** A value one letter longer than the field allows; null for fields without text. */
function tooLong(schema: Schema): unknown {
  if (schema.type === 'string' && !isWord(schema)) return 'x'.repeat((schema.maxLength ?? 100) + 1);
  if (schema.type === 'array') return Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => 'x');
  return null;
}

const inputs = operations.map(({ name, input }) => ({
  name,
  input,
  schema: z.toJSONSchema(input, { io: 'input' }) as Schema,
}));

describe('untrusted input', () => {
  for (const { name, input, schema } of inputs) {
    it(`${name}: every text, list and object has a limit`, () => {
      assert.deepEqual(unbounded(schema, name), []);
    });

    it(`${name}: an overlong text is an error that names the field`, () => {
      for (const [field, part] of Object.entries(schema.properties ?? {})) {
        const value = tooLong(part);
        if (value === null) continue;
        const parsed = input.safeParse({ [field]: value });
        const issue = parsed.error?.issues.find(({ path }) => path[0] === field);
        assert.ok(issue, `${name}.${field} takes ${String(JSON.stringify(value).length)} characters`);
        // A field limited by its pattern names the format instead.
        if (part.maxLength !== undefined || part.maxItems !== undefined)
          assert.match(
            parsed.error?.issues
              .filter(({ path }) => path[0] === field)
              .map(({ message }) => message)
              .join(' ') ?? '',
            new RegExp(`${String(part.maxLength ?? part.maxItems)}|must `),
            `${name}.${field}`,
          );
      }
    });
  }

  it('the schema walk finds unlimited parts', () => {
    const open = z.strictObject({
      text: z.string(),
      list: z.array(z.string().max(3)),
      more: z.array(z.strictObject({ deep: z.string().regex(/^a+$/) })).max(3),
      any: z.unknown(),
      loose: z.object({}),
    });
    assert.equal(unbounded(z.toJSONSchema(open, { io: 'input' }) as Schema, 'x').length, 5);
  });
});
