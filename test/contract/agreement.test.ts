/** Checks that every operation has its verbs, that tools cost little, and that neither decides. */
import assert from 'node:assert/strict';
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { catalog, operations } from '../../src/tools/catalog.ts';
import { startMcp } from '../support/mcp.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { verbsOf } from '../../scripts/generate/commandLineReference.ts';
import { accepted, helpOf, otherVerbs, subcommands } from './commandLineHelp.ts';
import { instructions } from '../../src/mcp/server.ts';

describe('a tool', function () {
  this.timeout(240_000);
  let mcp: McpTool[];
  const help = new Map<string, string>();

  before(async () => {
    const { folder, home } = makeSandbox();
    const server = await startMcp({ folder, home }, { args: ['--all-tools'] });
    mcp = (await server.client.listTools()).tools;
    await server.close();
    const read = async (verb: string) => {
      const text = await helpOf(words(verb));
      help.set(verb, text);
      for (const name of subcommands(text)) await read(`${verb} ${name}`.trim());
    };
    await read('');
  });
  after(removeSandboxes);

  // manifest.test.ts compares the manifest and the reference page, and test/mcp/server.test.ts what MCP lists.
  for (const { name, description } of catalog)
    it(`${name} says in two sentences when to call it`, () => {
      assert.ok((description.match(/[.!?](?= |$)/g) ?? []).length <= 2);
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
