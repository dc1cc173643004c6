/** The output for programs: one published schema for all outputs, with consistent names. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { outputSchemas } from '../../scripts/generate/outputSchemas.ts';
import { operations } from '../../src/tools/catalog.ts';
import { root } from '../support/host.ts';
import { otherVerbs } from './commandLineHelp.ts';

interface Shipped {
  readonly $defs: Readonly<Record<string, object>>;
}

/** Verbs that print no JSON because they are programs of their own. */
const programs = ['mcp', 'hook', 'serve'];

describe('the schema of outputs', function () {
  this.timeout(240_000);
  let shipped: Shipped;

  before(async () => {
    shipped = JSON.parse(await readFile(path.join(root, 'schemas', 'outputs.json'), 'utf8')) as Shipped;
  });

  it('matches the types: run "npm run generate" when this fails', () => {
    assert.deepEqual(shipped, JSON.parse(JSON.stringify(outputSchemas())));
  });

  it('includes every tool and every other verb: add missing ones to src/tools/kit/outputs.ts or src/cli/kit/outputs.ts', async () => {
    const verbs = (await otherVerbs())
      .filter((verb) => !programs.includes(verb))
      .map((verb) => verb.replaceAll(/[ -]/g, '_'));
    for (const name of [...operations.map(({ name }) => name), ...verbs, 'gate', 'gate_commits', 'error'])
      assert.ok(Object.hasOwn(shipped.$defs, name), name);
  });

  it('uses snake_case for all inputs and outputs', () => {
    const names = new Set([...propertiesIn(shipped), ...operations.flatMap(({ input }) => Object.keys(input.shape))]);
    assert.ok(names.has('effort_estimate') && names.size > 200);
    assert.deepEqual(
      [...names].filter((name) => !/^[a-z][a-z0-9_]*$/.test(name)),
      [],
    );
  });
});

function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own =
    'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}
