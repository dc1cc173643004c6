/** Checks that every tool is the same in the operations, over MCP and on the command line. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { inputSchema } from '../../src/tools/agent/tool.ts';
import { catalog } from '../../src/tools/catalog.ts';
import { operations } from '../../src/tools/operations.ts';
import { root } from '../support/host.ts';
import { environment, startMcp } from '../support/mcp.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { verbsOf } from '../../scripts/generate/commandLineReference.ts';
import { accepted, otherVerbs, subcommands } from './commandLineHelp.ts';
import { instructions } from '../../src/mcp/server.ts';

const run = promisify(execFile);

describe('a tool', function () {
  this.timeout(240_000);
  let mcp: McpTool[];
  const help = new Map<string, string>();

  before(async () => {
    const { folder, home } = makeSandbox();
    const server = await startMcp({ folder, home }, { args: ['--all-tools'] });
    mcp = (await server.client.listTools()).tools;
    await server.close();
    const env = environment({ folder, home });
    const read = async (verb: string) => {
      const { stdout } = await run(process.execPath, [path.join(root, 'dist', 'cli.mjs'), ...words(verb), '--help'], {
        env,
      });
      help.set(verb, stdout);
      for (const name of subcommands(stdout)) await read(`${verb} ${name}`.trim());
    };
    await read('');
  });
  after(removeSandboxes);

  // The manifest and the reference page are compared in manifest.test.ts.
  it('is the same over MCP, and says in two sentences when to call it', () => {
    assert.deepEqual(
      mcp.map(({ name, title, description, inputSchema: input }) => ({ name, title, description, input })),
      catalog.map((tool) => ({
        ...{ name: tool.name, title: tool.title, description: tool.description },
        input: JSON.parse(JSON.stringify(inputSchema(tool))) as unknown,
      })),
    );
    for (const { name, description } of catalog)
      assert.ok((description.match(/[.!?](?= |$)/g) ?? []).length <= 2, name);
  });

  it('costs a conversation little: tokens of the usual tools, and of all, with the instructions', () => {
    const tokens = (tools: readonly McpTool[]) => Math.ceil((JSON.stringify(tools).length + instructions.length) / 4);
    const usual = catalog.filter(({ shown }) => shown === 'always' || shown === 'used').map(({ name }) => name);
    assert.ok(usual.length <= 8, usual.join(', '));
    const core = tokens(mcp.filter(({ name }) => (usual as readonly string[]).includes(name)));
    const all = tokens(mcp);
    assert.ok(core <= 4_000, `${String(core)} tokens`);
    assert.ok(all <= 6_500, `${String(all)} tokens`);
    assert.equal(instructions.match(/only a human/gi)?.length, 1, 'who decides is said once');
    assert.doesNotMatch(JSON.stringify(mcp), /only a human (?:can )?(?:answers?|approves?|decides?|releases?)/i);
    assert.doesNotMatch(JSON.stringify(mcp), /"(?:pattern|maxLength|minLength|maximum|minimum|maxItems|default)"/);
  });

  it('reaches every operation', () => {
    assert.deepEqual(
      new Set(catalog.flatMap((tool) => tool.operations.map(({ name }) => name))),
      new Set(operations.map(({ name }) => name)),
    );
  });

  for (const operation of operations)
    it(`${operation.name} has a verb with an option for every input`, () => {
      const verbs = verbsOf[operation.name] ?? [];
      assert.ok(verbs.length > 0, 'it has a verb');
      assert.deepEqual(
        Object.keys(operation.input.shape).filter((name) => !verbs.some(({ inputs }) => inputs.includes(name))),
        [],
      );
      for (const { verb, accepted: listed } of verbs)
        assert.deepEqual(accepted(help.get(verb) ?? ''), new Set(listed), verb);
    });

  it('has no counterpart for any other verb', async () => {
    const leaves = [...help].filter(([, text]) => subcommands(text).length === 0).map(([verb]) => verb);
    const known = [
      ...Object.values(verbsOf).flatMap((verbs) => verbs.map(({ verb }) => verb)),
      ...(await otherVerbs()),
    ];
    // `serve` is a verb, and has verbs below it.
    assert.deepEqual([...leaves, 'serve'].sort(), known.sort());
  });

  it('is not named after a decision', () => {
    const decisions = /(^|[ _-])(answer_question|approve|reject|release|cancel|resolve|revoke|unblock|decide)/;
    // Resolving an event of project memory releases nothing; an agent can only propose to close what a human posted.
    const verbs = [...help.keys()].filter((verb) => verb !== 'resolve');
    for (const name of [...mcp.map((tool) => tool.name), ...verbs]) assert.doesNotMatch(name, decisions);
  });
});

function words(verb: string): string[] {
  return verb.split(' ').filter(Boolean);
}
