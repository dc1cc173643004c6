/** Every JSON output that a test sees is checked against the schema that ships. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { root } from './host.ts';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0] & object;

const shipped = JSON.parse(readFileSync(path.join(root, 'schemas', 'outputs.json'), 'utf8')) as {
  $defs: Record<string, JsonSchema>;
};
const schemas = new Map<string, z.ZodType>();

function schemaNamed(name: string): z.ZodType {
  assert.ok(
    Object.hasOwn(shipped.$defs, name),
    `no schema for ${name}: add it to src/tools/kit/outputs.ts or src/cli/kit/outputs.ts, then npm run generate`,
  );
  const made =
    schemas.get(name) ?? z.fromJSONSchema({ ...shipped, anyOf: undefined, $ref: `#/$defs/${name}` } as JsonSchema);
  schemas.set(name, made);
  return made;
}

export function checkOutput(data: unknown): void {
  assert.ok(typeof data === 'object' && data !== null, 'the output is an object');
  const schema = 'schema' in data ? data.schema : undefined;
  const [, name] = /^holdpoint\/(\w+)\/\d+$/.exec(String(schema)) ?? [];
  assert.ok(name !== undefined, `the output names its schema: ${JSON.stringify(data).slice(0, 300)}`);
  const { success, error } = schemaNamed(name).safeParse(data);
  assert.ok(success, `${name} does not follow schemas/outputs.json: ${error ? z.prettifyError(error) : ''}`);
}

/** Checks the command line's output with `--json`. Exports have their own format. */
export function checkPrinted(out: string): void {
  const data: unknown = JSON.parse(out);
  if (typeof data === 'object' && data !== null && 'holdpoint_export' in data) return;
  checkOutput(data);
}
