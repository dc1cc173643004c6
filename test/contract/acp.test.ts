/** The proxy of the Agent Client Protocol between the official client and a real agent, Claude Code's, with a scripted model. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askedInHost } from '../../src/core/question/hostQuestion.ts';
import { questionView } from '../../src/app/question/views.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { registerWork } from '../../src/tools/work/registerWork.ts';
import { runTool } from '../../src/tools/kit/tool.ts';
import { openAcpEditor } from '../support/acpEditor.ts';
import type { AcpEditor } from '../support/acpEditor.ts';
import { findNpmHost } from '../support/npmHost.ts';
import { anthropicResults, startScriptedAnthropic } from '../support/scriptedAnthropic.ts';
import { until } from '../support/until.ts';
import type { AnthropicRequest, ScriptedAnthropic } from '../support/scriptedAnthropic.ts';
import type { ModelTurn } from '../support/scriptedModel.ts';
import { agent, decide, enrolledHuman } from '../support/store/people.ts';
import type { Human } from '../support/store/people.ts';
import { makeSandbox } from '../support/store/sandbox.ts';
import type { Sandbox } from '../support/store/sandbox.ts';

interface Step {
  readonly name: string;
  readonly input: unknown;
}

describe('holdpoint acp with the real claude-agent-acp', function () {
  this.timeout(240_000);
  let program = '';
  let place: Sandbox;
  let workspace: Workspace;
  let human: Human;
  let model: ScriptedAnthropic | undefined;
  let editor: AcpEditor | undefined;
  let authFile = '';
  let steps: readonly Step[] = [];
  let results: readonly string[] = [];

  const mcp = (tool: string, input: object): Step => ({ name: `mcp__holdpoint__holdpoint_${tool}`, input });
  const edit = (): Step => ({
    name: 'Edit',
    input: { file_path: authFile, old_string: "'guest'", new_string: "'guest' // sessions" },
  });
  const bash = (command: string): Step => ({ name: 'Bash', input: { command, description: 'Run' } });
  const question = () =>
    mcp('raise_question', { text: 'JWT or sessions?', type: 'decision', work_id: 't-1', wait_seconds: 1 });
  const work = () =>
    mcp('register_work', { id: 't-1', title: 'API tokens', status: 'in_progress', holds: ['src/auth.js'] });

  /** The model thinks until this is there, from the third result on. */
  let thinking: (() => Promise<void>) | null = null;

  /** Each step once, in order; over all turns. */
  async function next(request: AnthropicRequest): Promise<ModelTurn> {
    if (request.tools.length === 0) return { say: 'API tokens' };
    results = anthropicResults(request).map((text) => text.replaceAll('\\"', '"'));
    if (results.length > 2) await thinking?.();
    const step = steps[results.length];
    return step ? { call: [step] } : { say: 'That is all.' };
  }

  before(async function () {
    const name = 'claude-agent-acp';
    const found = await findNpmHost({
      name,
      version: '0.101.0',
      packages: [`@agentclientprotocol/${name}`],
      program: path.join('@agentclientprotocol', name, 'dist', 'index.js'),
    });
    if ('missing' in found) {
      console.log(`    ${found.missing}: skipped`);
      this.skip();
    }
    ({ program } = found);
  });

  beforeEach(async () => {
    place = makeSandbox();
    place.clock.now = Date.now();
    authFile = path.join(place.folder, 'src', 'auth.js');
    fs.mkdirSync(path.dirname(authFile));
    fs.writeFileSync(authFile, "export const whoIs = 'guest';\n");
    workspace = place.open();
    human = enrolledHuman(workspace);
    const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
    await runTool(registerWork, context, { id: 't-0', title: 'A design' });
    model = await startScriptedAnthropic(next);
    results = [];
    thinking = null;
    editor = await openAcpEditor({
      workspace: place.folder,
      agent: [process.execPath, program],
      env: {
        PATH: process.env['PATH'],
        HOME: place.home,
        // Root may use the modes that ask for nothing only where this is set.
        IS_SANDBOX: '1',
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    });
  });
  afterEach(async () => {
    await editor?.close();
    await model?.close();
    place.remove();
  });

  async function noted(id: string) {
    return questionView((await workspace.store()).read(), id) ?? assert.fail(`there is no ${id}`);
  }

  /** What the model reads besides its tools, in order. */
  function prompts(): string[] {
    return (model?.requests ?? []).flatMap(({ messages }) =>
      messages.flatMap(({ role, content }) => {
        if (role !== 'user') return [];
        return typeof content === 'string' ? [content] : content.map((one) => (one.type === 'text' ? one.text : ''));
      }),
    );
  }

  it('stops the agent that asked until a human has answered, and then lets it go on', async () => {
    assert.ok(editor);
    const asking = [work(), question(), { name: 'Read', input: { file_path: authFile } }];
    steps = [...asking, edit(), bash('echo x >> src/auth.js'), bash('ls src')];
    assert.equal(await editor.prompt('Build API tokens.', 'default'), 'end_turn', editor.errors());
    assert.ok(prompts().some((text) => text.startsWith('Holdpoint: agents stop for humans')));
    assert.match(results[1] ?? '', /Q-1 is still waiting for a human/);
    assert.match(results[2] ?? '', /whoIs/);
    for (const index of [3, 4]) assert.match(results[index] ?? '', /refused permission/, `step ${String(index)}`);
    assert.match(results[5] ?? '', /auth\.js/);
    assert.equal(fs.readFileSync(authFile, 'utf8'), "export const whoIs = 'guest';\n");
    const asked = () =>
      editor?.permissions.map(({ toolCall }) => toolCall.title).filter((title) => title?.includes('auth'));
    assert.deepEqual(asked(), [], 'the editor is not asked about what is held');
    assert.match(editor.said(), /Denied: acp-001, src\/auth\.js are held by Q-1 "JWT or sessions\?"/);
    assert.equal((await noted('Q-1')).agent_id, 'acp-001');

    await decide(workspace, human, 'Q-1');
    steps = [...steps, edit()];
    assert.equal(await editor.again('Go on.'), 'end_turn');
    assert.ok(
      prompts().some((text) => /Q-1 answered by Ada.*"Yes, go on\."/.test(text)),
      'the answer comes with the prompt',
    );
    assert.match(results.at(-1) ?? '', /updated successfully/);
    assert.match(fs.readFileSync(authFile, 'utf8'), /\/\/ sessions/);
    assert.deepEqual(asked(), ['Edit src/auth.js']);
    assert.equal(
      editor.permissions.at(-1)?.options.some(({ kind }) => kind === 'allow_always'),
      false,
      'no answer keeps the agent from asking again',
    );
    assert.equal(await editor.close(), 0, editor.errors());
  });

  it('notes what the agent asks its user, with the answer that the editor gives', async () => {
    assert.ok(editor);
    const options = [
      { label: 'JWT', description: 'Stateless' },
      { label: 'Sessions', description: 'Revocable' },
    ];
    const tokens = { question: 'Which tokens?', header: 'Tokens', multiSelect: false, options };
    steps = [work(), { name: 'AskUserQuestion', input: { questions: [tokens] } }];
    assert.equal(await editor.prompt('Build API tokens.', 'default'), 'end_turn', editor.errors());
    assert.match(results[1] ?? '', /"Which tokens\?"="JWT"/);
    assert.equal(await editor.close(), 0);
    const question = await noted('Q-1');
    assert.deepEqual([question.text, question.mode, question.status], ['Which tokens?', 'async', 'cancelled']);
    assert.equal(question.note, 'Answered in ACP client, as it reports: JWT');
    assert.equal(askedInHost(question.payload_json)?.by, 'elicitation');
  });

  it('notices a change by an agent that asks for nothing, and cancels its turn', async () => {
    assert.ok(editor);
    steps = [work(), question(), edit(), bash('echo x >> src/auth.js')];
    // A model takes longer than the proxy to look at the change.
    thinking = () => until('the change is noticed', () => editor?.said().includes('ran without asking') ?? false);
    assert.equal(await editor.prompt('Build API tokens.', 'bypassPermissions'), 'cancelled', editor.errors());
    assert.match(editor.said(), /ran without asking for permission: Edit src\/auth\.js\nDenied: .*Q-1/);
    assert.match(fs.readFileSync(authFile, 'utf8'), /sessions/, 'it was noticed, not prevented');
    steps = [...steps];
    await editor.again('What happened?');
    assert.ok(prompts().some((text) => text.includes('The turn was cancelled for this. Undo it, and ask.')));
  });
});
