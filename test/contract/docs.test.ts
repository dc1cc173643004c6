/** Every command in the pages does what the text says: a marker before each block says how to check it (docsPages.ts). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { formatPublicKey, formatWorkspace, parsePublicKeys, parseWorkspaces } from '../../src/trust/publicKeys.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { callsIn, unknownIn, unknownToNpm } from './docsCommands.ts';
import { commandsOf, hasCommands, readPage, readPages, remarkOf, type Block, type Expected } from './docsPages.ts';
import { inShell, makePlace, stopServers, type Place } from './docsWorkspaces.ts';

const pages = readPages();
/** The PostgreSQL that the tests bring along has none. */
const hasPsql = spawnSync('psql', ['--version']).status === 0;

describe('commands in the pages', function () {
  this.timeout(240_000);
  after(removeSandboxes);
  after(stopServers);

  it('all have a marker', () => {
    assert.deepEqual(unmarked(pages.flatMap(({ blocks }) => blocks)), []);
    assert.deepEqual(unmarked(readPage('page', 'Run\n\n```\nholdpoint gate\n```\n').blocks), ['page:3']);
    assert.throws(() => readPage('page', '<!-- docs-test\nin: empty\n-->\n\n```\nholdpoint gate\n```\n'));
  });

  it('use only verbs, options and scripts that exist', async () => {
    const unknown: string[] = [];
    let seen = 0;
    for (const { name, blocks, inline } of pages) {
      const commands = [...blocks.filter(hasCommands).flatMap(({ content }) => commandsOf(content)), ...inline];
      for (const command of commands) {
        const wrong = unknownToNpm(command);
        if (wrong !== null) unknown.push(`${name}: ${command}: ${wrong}`);
      }
      const calls = [
        ...blocks.filter(hasCommands).flatMap(({ content }) => commandsOf(content).flatMap(callsIn)),
        ...inline.filter((code) => /^holdpoint( |$)/.test(code)),
      ];
      for (const call of calls) {
        seen++;
        const wrong = await unknownIn(call);
        if (wrong !== null) unknown.push(`${name}: ${call}: ${wrong}`);
      }
    }
    assert.deepEqual(unknown, []);
    assert.ok(seen > 80, String(seen));
  });

  it('are reported if they use others', async () => {
    assert.equal(await unknownIn('holdpoint question answer Q-1'), 'question answer');
    assert.equal(await unknownIn('holdpoint rfc create|decide'), 'rfc decide');
    assert.equal(await unknownIn('holdpoint gate [--work t-1] [--force]'), '--force');
    assert.equal(await unknownIn('holdpoint export --format json|markdown'), null);
    const shell = 'claude mcp add holdpoint -- holdpoint mcp --all; echo "a; b" | holdpoint keys > f # holdpoint x';
    assert.deepEqual(callsIn(shell), ['holdpoint', 'holdpoint mcp --all', 'holdpoint keys']);
    assert.equal(unknownToNpm('npm run no-such'), 'no-such');
    assert.equal(unknownToNpm('npm test -- --only unit,no-such'), 'no-such');
    assert.equal(unknownToNpm('npm run bench -- --no-such'), '--no-such');
    assert.equal(unknownToNpm('npx mocha test/no/such.test.ts'), 'test/no/such.test.ts');
  });

  for (const { name, blocks } of pages) {
    let place: Place | undefined;
    for (const block of blocks) {
      const { marker } = block;
      if (marker === null || !('lines' in marker)) continue;
      it(`${block.at} does what the text says`, async function () {
        if (!hasPsql && /^psql /m.test(block.content)) this.skip();
        if (marker.in !== 'previous') place = await makePlace(marker.in);
        if (!place) assert.fail(`${name}: no block comes before`);
        await runBlock(place, commandsIn(block, marker.step), marker.lines);
      });
    }
  }

  for (const block of pages.flatMap(({ blocks }) => blocks)) {
    const { marker, content } = block;
    if (marker === null || !('keys' in marker)) continue;
    it(`${block.at} has the format that \`holdpoint keys\` prints`, () => {
      const keys = parsePublicKeys(content);
      assert.equal(keys.length, marker.keys);
      const workspaces = parseWorkspaces(content);
      assert.equal(workspaces.length, 1);
      assert.equal(`${[...workspaces.map(formatWorkspace), ...keys.map(formatPublicKey)].join('\n')}\n`, content);
    });
  }
});

function unmarked(blocks: readonly Block[]): readonly string[] {
  return blocks.filter((block) => hasCommands(block) && block.marker === null).map(({ at }) => at);
}

/** Each step of a workflow is one command. */
function commandsIn({ content }: Block, step: string | readonly string[] | undefined): readonly string[] {
  if (step === undefined) return commandsOf(content);
  const { jobs } = parse(content) as {
    jobs: Readonly<Record<string, { steps: readonly { name?: string; run?: string }[] }>>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return [step].flat().map((wanted) => {
    const script = steps.find(({ name }) => name === wanted)?.run;
    assert.ok(script, `the step "${wanted}"`);
    return script;
  });
}

async function runBlock(place: Place, commands: readonly string[], lines: readonly Expected[]): Promise<void> {
  assert.equal(lines.length, commands.length, 'the marker has a line for each command');
  for (const [index, command] of commands.entries()) {
    const line = lines[index];
    if (!line) continue;
    const shown = line.remark ? {} : remarkOf(command);
    const { append = '', prints, exit, input } = line;
    const [start = ''] = command.split(/\s# /);
    const there = start.replaceAll('/absolute/path/of/the/workspace', place.folder);
    const ran = await inShell(place, `${append === '' ? there : there.trimEnd()} ${append}`, input);
    const seen = `${command}\n${ran.output}`;
    assert.deepEqual([ran.exit, shown.exit ?? exit], [exit, exit], seen);
    for (const wanted of [prints, shown.text]) if (wanted !== undefined) assert.ok(ran.output.includes(wanted), seen);
  }
}
