/**
 * The real Claude Code with a scripted model: its agent and its subagents edit, run commands and call an MCP server that
 * is not Holdpoint's, while another agent's question holds the files, while their own question holds the session, and
 * after a human has answered.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openWorkspace } from '../../src/app/workspace/workspace.ts';
import { findClaudeCode } from '../support/claudeCode.ts';
import { foreignCalls, foreignMcp } from '../support/foreignMcp.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { start } from '../support/processes.ts';
import { resumables, type Call } from '../support/resumable.ts';
import {
  anthropicResults,
  startScriptedAnthropic,
  type AnthropicRequest,
  type ScriptedAnthropic,
} from '../support/scriptedAnthropic.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { realFs, wasm } from '../support/store/sandbox.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

/** One attempt at everything, each on files of its own. */
const attempts = [
  ...['held file, agent', 'held file, subagent', 'answered, agent', 'answered, subagent'],
  ...['asked by the agent, agent', 'asked by the agent, subagent'],
  ...['asked by a subagent, subagent', 'asked by a subagent, agent'],
  ...['all answered, agent', 'all answered, subagent'],
] as const;
type Attempt = (typeof attempts)[number];

/** Claude Code runs the command when the skill is called, and asks no hook. */
const skill = '---\nname: stamp\ndescription: A skill.\nallowed-tools: Bash\n---\n\nResult: !`date >> stamps`\n';

interface Step extends Call {
  readonly attempt?: Attempt;
  /** Decides this question before the call. */
  readonly decides?: string;
}

describe('The real Claude Code, its subagents and another MCP server', () => {
  let place: TemporaryFolder;
  let workspace = '';
  let model: ScriptedAnthropic | undefined;
  let output = '';
  const results = new Map<Attempt, readonly string[]>();
  const inside = (...names: string[]) => path.join(workspace, ...names);
  const log = () => path.join(place.folder, 'calls');

  function everything(attempt: Attempt): readonly Step[] {
    const file = inside('src', `${attempt}.js`);
    const note = (name: string, kind: 'src' | 'free') => ({ path: inside(kind, `${name}.txt`), text: attempt });
    const calls = [
      { name: 'Read', input: { file_path: file } },
      { name: 'Edit', input: { file_path: file, old_string: 'one', new_string: 'two' } },
      { name: 'Bash', input: { command: `echo mine > 'src/${attempt}.log'`, description: 'Write a log' } },
      { name: 'mcp__notes__put_note', input: note(attempt, 'src') },
      { name: 'mcp__notes__put_note', input: note(attempt, 'free') },
      { name: 'mcp__notes__ping', input: {} },
      { name: 'Skill', input: { skill: 'stamp' } },
    ];
    return calls.map((call) => ({ ...call, attempt }));
  }

  function raise(text: string): Step {
    return { name: 'mcp__holdpoint__holdpoint_raise_question', input: { text, wait_seconds: 0 } };
  }

  function subagent(attempt: Attempt): Step {
    const prompt = `As a subagent: ${attempt}.`;
    const input = { description: 'Try', subagent_type: 'general-purpose', prompt, run_in_background: false };
    return { name: 'Agent', input };
  }

  /** The agent's script. After a decision, each attempt is repeated. */
  function agentSteps(): readonly Step[] {
    return [
      ...everything('held file, agent'),
      subagent('held file, subagent'),
      ...[{ ...subagent('answered, subagent'), decides: 'Q-1' }, ...everything('answered, agent')],
      ...[
        raise('Shall I go on?'),
        ...everything('asked by the agent, agent'),
        subagent('asked by the agent, subagent'),
      ],
      ...[
        { ...subagent('asked by a subagent, subagent'), decides: 'Q-2' },
        ...everything('asked by a subagent, agent'),
      ],
      ...[{ ...subagent('all answered, subagent'), decides: 'Q-3' }, ...everything('all answered, agent')],
    ];
  }

  function subagentSteps(attempt: Attempt): readonly Step[] {
    const asks = attempt === 'asked by a subagent, subagent' ? [raise('May a subagent go on?')] : [];
    return [...asks, ...everything(attempt)];
  }

  /** What the request's agent was started for; undefined for the main agent. */
  function attemptOf({ messages }: AnthropicRequest): Attempt | undefined {
    const prompts = messages.flatMap(({ role, content }) =>
      role !== 'user'
        ? []
        : typeof content === 'string'
          ? [content]
          : content.map((one) => ('text' in one ? one.text : '')),
    );
    return attempts.find((attempt) => prompts.some((text) => text.includes(`As a subagent: ${attempt}.`)));
  }

  function next(request: AnthropicRequest): Step | undefined {
    const attempt = attemptOf(request);
    const steps = attempt ? subagentSteps(attempt) : agentSteps();
    const said = anthropicResults(request);
    for (const one of attempts) {
      const own = said.filter((_, index) => steps[index]?.attempt === one);
      if (own.length > 0) results.set(one, own);
    }
    return steps[said.length];
  }

  before(async function () {
    const found = await findClaudeCode();
    if ('missing' in found || process.platform === 'win32') {
      console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
      this.skip();
    }
    place = await temporaryFolder();
    workspace = path.join(place.folder, 'shop');
    const home = path.join(place.folder, 'home');
    for (const folder of [inside('src'), inside('free'), home]) await mkdir(folder, { recursive: true });
    for (const attempt of attempts) await writeFile(inside('src', `${attempt}.js`), 'one\n');
    await mkdir(inside('.claude', 'skills', 'stamp'), { recursive: true });
    await writeFile(inside('.claude', 'skills', 'stamp', 'SKILL.md'), skill);
    await writeFile(inside('.mcp.json'), JSON.stringify({ mcpServers: { notes: foreignMcp(log()) } }));
    model = await startScriptedAnthropic(async (request) => {
      if (request.tools.length === 0) return { say: 'Title' };
      const step = next(request);
      if (step?.decides !== undefined) await decide(opened, human, step.decides);
      return step ? { call: [step] } : { say: 'Done.' };
    });
    const { prepare, env: more } = resumables['claude-code'];
    await prepare(home, workspace, model.url);
    const bins = [path.dirname(process.execPath), '/usr/bin', '/bin'];
    const env = { PATH: bins.join(path.delimiter), HOME: home, ...more(model.url) };
    const opened = openWorkspace({
      ...{ folder: workspace, fs: realFs, env, platform: process.platform, home, clock: Date.now },
      ...{ newId: randomUUID, wasm },
    });
    const human = enrolledHuman(opened);
    const asked = await holdpoint(
      { workspace, env: { ...env, HOLDPOINT_AGENT_ID: 'other-001' } },
      ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
    );
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint({ workspace, env }, 'setup', '--host', 'claude-code');
    assert.equal(setup.code, 0, setup.err);
    const ran = start(
      found.program,
      [
        ...['-p', 'Change src.', '--permission-mode', 'acceptEdits', '--mcp-config', inside('.mcp.json')],
        ...['--allowedTools', 'mcp__holdpoint', 'mcp__notes', 'Bash', 'Skill'],
      ],
      { cwd: workspace, env },
    );
    const code = await ran.exited;
    output = ran.output();
    opened.close();
    assert.equal(code, 0, output);
  });
  after(async () => {
    await model?.close();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  /** How each call of an attempt ended: the reading, edit, command, note on a held file, note elsewhere, ping and skill. */
  function ends(attempt: Attempt): string {
    const said = results.get(attempt) ?? [];
    return said.map((text) => (/PreToolUse.*Denied: [^]*\bQ-\d/.test(text) ? 'denied' : 'done')).join(' ');
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
    it(`${attempt}: only what reaches the held file is denied, and a skill, whose commands no hook sees`, () => {
      assert.equal(ends(attempt), 'done denied denied denied done done denied', output);
      assert.deepEqual(traces(attempt), { edited: false, logged: false, noted: [false, true], received: 1 });
      const said = results.get(attempt) ?? [];
      for (const text of said.slice(1, 4)) assert.match(text, /Q-1 "May I change src\?"/);
      assert.match(said[6] ?? '', /read its SKILL\.md and do its steps one by one/);
    });

  for (const attempt of attempts.filter((one) => one.startsWith('asked by')))
    it(`${attempt}: everything but reading is denied`, () => {
      assert.equal(ends(attempt), 'done denied denied denied denied denied denied', output);
      assert.deepEqual(traces(attempt), { edited: false, logged: false, noted: [false, false], received: 0 });
    });

  for (const attempt of attempts.filter((one) => one.includes('answered')))
    it(`${attempt}: everything is allowed`, () => {
      assert.equal(ends(attempt), 'done done done done done done done', output);
      assert.deepEqual(traces(attempt), { edited: true, logged: true, noted: [true, true], received: 2 });
    });

  it('no denied call reached the other server or ran the skill', () => {
    const pinged = attempts.filter((one) => !one.startsWith('asked by')).length;
    assert.equal(foreignCalls(log()).filter(({ tool }) => tool === 'ping').length, pinged);
    const stamped = attempts.filter((one) => one.includes('answered')).length;
    assert.equal(readFileSync(inside('stamps'), 'utf8').trim().split('\n').length, stamped);
  });
});
