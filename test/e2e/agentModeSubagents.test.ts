/**
 * VS Code's own agent mode, where the person has switched its confirmations off: its agent and subagents edit, run
 * commands and call an MCP server that is not Holdpoint's, while a question holds files, while a question of a subagent
 * holds the chat, and, except for commands, after a human has answered.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answerAsHuman, questionShown, showAnswerView } from '../support/answerForm.ts';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { foreignCalls, foreignMcp } from '../support/foreignMcp.ts';
import { holdpoint } from '../support/holdpoint.ts';
import type { Call } from '../support/resumable.ts';
import {
  startScriptedModel,
  textOf,
  toolResults,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

/** One attempt at everything, each on files of its own. */
const attempts = [
  ...['held file, agent', 'held file, subagent', 'answered, subagent', 'answered, agent'],
  ...['asked by a subagent, subagent', 'asked by a subagent, agent'],
] as const;
type Attempt = (typeof attempts)[number];
const lastAttempt: Attempt = 'asked by a subagent, agent';

interface Step extends Call {
  readonly attempt?: Attempt;
  /** A human answers before the call. */
  readonly afterAnswer?: boolean;
}

describe('Agent mode of the real VS Code, its subagents and another MCP server', () => {
  let place: TemporaryFolder;
  let workspace = '';
  let model: ScriptedModel | undefined;
  let editor: Editor | undefined;
  const results = new Map<Attempt, readonly string[]>();
  const inside = (...names: string[]) => path.join(workspace, ...names);
  const log = () => path.join(place.folder, 'calls');

  function everything(attempt: Attempt): readonly Step[] {
    const file = inside('src', `${attempt}.js`);
    const command = `touch '${inside('src', `${attempt}.log`)}'`;
    const note = (kind: 'src' | 'free') => ({ path: inside(kind, `${attempt}.txt`), text: attempt });
    const terminal = { command, explanation: 'x', goal: 'x', isBackground: false, mode: 'sync', timeout: 60_000 };
    const calls = [
      { name: 'read_file', input: { filePath: file, startLine: 1, endLine: 5 } },
      { name: 'replace_string_in_file', input: { filePath: file, oldString: 'one', newString: 'two' } },
      { name: 'run_in_terminal', input: terminal },
      // Named after what the server says of itself, not after its entry in mcp.json.
      { name: 'mcp_foreign_put_note', input: note('src') },
      { name: 'mcp_foreign_put_note', input: note('free') },
      { name: 'mcp_foreign_ping', input: {} },
    ];
    // VS Code itself goes on confirming commands of subagents.
    const tried = attempt.startsWith('answered') ? calls.filter(({ name }) => name !== 'run_in_terminal') : calls;
    return tried.map((call) => ({ ...call, attempt }));
  }

  function subagent(attempt: Attempt): Step {
    return { name: 'runSubagent', input: { prompt: `As a subagent: ${attempt}.`, description: 'Try' } };
  }

  function agentSteps(): readonly Step[] {
    return [
      ...[...everything('held file, agent'), subagent('held file, subagent')],
      ...[{ ...subagent('answered, subagent'), afterAnswer: true }, ...everything('answered, agent')],
      ...[subagent('asked by a subagent, subagent'), ...everything('asked by a subagent, agent')],
    ];
  }

  function subagentSteps(attempt: Attempt): readonly Step[] {
    const raise = { name: 'holdpoint_raise_question', input: { text: 'May a subagent go on?', wait_seconds: 0 } };
    return [...(attempt === 'asked by a subagent, subagent' ? [raise] : []), ...everything(attempt)];
  }

  function next(request: ModelRequest): Step | undefined {
    const prompts = request.messages.filter(({ role }) => role === 'user').map(textOf);
    const own = attempts.find((attempt) => prompts.some((text) => text.includes(`As a subagent: ${attempt}.`)));
    const steps = own ? subagentSteps(own) : agentSteps();
    const said = toolResults(request);
    for (const attempt of attempts) {
      const its = said.filter((_, index) => steps[index]?.attempt === attempt);
      if (its.length > 0) results.set(attempt, its);
    }
    return steps[said.length];
  }

  async function answer(): Promise<void> {
    const { window } = editor!;
    await showAnswerView(window);
    await answerAsHuman(await questionShown(window), { text: 'Yes, go on.' });
  }

  before(async function () {
    this.timeout(480_000);
    place = await temporaryFolder();
    workspace = path.join(place.folder, 'shop');
    for (const name of ['src', 'free', '.vscode']) await mkdir(inside(name), { recursive: true });
    for (const attempt of attempts) await writeFile(inside('src', `${attempt}.js`), 'one\n');
    const notes = { type: 'stdio', ...foreignMcp(log()) };
    await writeFile(inside('.vscode', 'mcp.json'), JSON.stringify({ servers: { notes } }));
    let end: () => void = () => undefined;
    let fail: (error: unknown) => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    model = await startScriptedModel(async (request): Promise<ModelTurn> => {
      if (!request.tools.some((tool) => tool.function.name === 'read_file')) return { say: 'Changes' };
      const step = next(request);
      if (step?.afterAnswer) await answer().catch(fail);
      if (step) return { call: [step] };
      if (results.has(lastAttempt)) end();
      return { say: 'All was tried.' };
    });
    const settings = { 'chat.tools.global.autoApprove': true };
    editor = await openEditor({ workspace, model: model.url, probe: false, settings });
    const asked = await holdpoint(
      { workspace, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'other-001' } },
      ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
    );
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint({ workspace, env: editor.env }, 'setup', '--host', 'vscode');
    assert.equal(setup.code, 0, setup.err);
    const { page } = editor.window;
    await askCopilot(editor.window, 'Change src.');
    // VS Code warns before the first call that it does not confirm.
    await page.getByRole('button', { name: 'Enable', exact: true }).click({ timeout: 120_000 });
    await ended;
  });
  after(async () => {
    await editor?.close();
    await model?.close();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  /** How each call of an attempt ended: the reading, edit, command if tried, notes in both folders and ping. */
  function ends(attempt: Attempt): string {
    const said = results.get(attempt) ?? [];
    return said.map((text) => (/^Tool execution denied: Denied: [^]*\bQ-\d/.test(text) ? 'denied' : 'done')).join(' ');
  }

  /** What changed on the disk and reached the server. */
  function traces(attempt: Attempt) {
    const calls = foreignCalls(log());
    return {
      edited: readFileSync(inside('src', `${attempt}.js`), 'utf8') === 'two\n',
      logged: existsSync(inside('src', `${attempt}.log`)),
      noted: ['src', 'free'].map((kind) => existsSync(inside(kind, `${attempt}.txt`))),
      received: calls.filter(({ input }) => input['text'] === attempt).length,
    };
  }

  for (const attempt of ['held file, agent', 'held file, subagent'] as const)
    it(`${attempt}: only what reaches the held file is denied`, () => {
      assert.equal(ends(attempt), 'done denied denied denied done done');
      assert.deepEqual(traces(attempt), { edited: false, logged: false, noted: [false, true], received: 1 });
      for (const text of (results.get(attempt) ?? []).slice(1, 4)) assert.match(text, /Q-1 "May I change src\?"/);
    });

  for (const attempt of ['asked by a subagent, subagent', 'asked by a subagent, agent'] as const)
    it(`${attempt}: everything but reading is denied`, () => {
      assert.equal(ends(attempt), 'done denied denied denied denied denied');
      assert.deepEqual(traces(attempt), { edited: false, logged: false, noted: [false, false], received: 0 });
    });

  for (const attempt of ['answered, subagent', 'answered, agent'] as const)
    it(`${attempt}: everything is allowed`, () => {
      assert.equal(ends(attempt), 'done done done done done');
      assert.deepEqual(traces(attempt), { edited: true, logged: false, noted: [true, true], received: 2 });
    });

  it('no denied call reached the other server', () => {
    const pings = foreignCalls(log()).filter(({ tool }) => tool === 'ping').length;
    assert.equal(pings, attempts.filter((one) => !one.startsWith('asked by')).length);
  });
});
