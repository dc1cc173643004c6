/** Real agents with scripted models: what a person is shown when a question waits, and what the model reads of it. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { QuestionView } from '../../src/app/question/views.ts';
import { usualLength } from '../../src/tools/agent/tool.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { onPath } from '../support/machine.ts';
import { start } from '../support/processes.ts';
import { startInTerminal } from '../support/pty.ts';
import { resumables, type Model, type Resumable } from '../support/resumable.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';

interface Ready {
  readonly program: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly model: Model;
  /** What the agent and our server sent each other, one message a line. */
  sent(by: 'agent' | 'server'): Promise<string>;
  /** Nobody has decided the question. */
  assertHeld(): Promise<void>;
}

/** Of Claude Code. */
interface ToolResultBlock {
  readonly content: readonly [{ readonly text: string }];
}

const hosts = { 'claude-code': '.mcp.json', 'copilot-cli': path.join('.github', 'mcp.json') } as const;

describe('A real agent whose question waits', () => {
  const left: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of left.splice(0).reverse()) await end();
  });

  /** Null where the program is not available. */
  async function ready(host: keyof typeof hosts): Promise<Ready | null> {
    const { find, model: startModel, tool, prepare, env: more }: Resumable = resumables[host];
    const found = await find();
    if ('missing' in found || process.platform !== 'linux') {
      console.log(`    ${'missing' in found ? found.missing : 'needs Linux'}: skipped`);
      return null;
    }
    const place: TemporaryFolder = await temporaryFolder();
    left.push(() => place.remove());
    const [workspace, home] = [path.join(place.folder, 'shop'), path.join(place.folder, 'home')];
    for (const folder of [workspace, home]) await mkdir(folder);
    const input = { text: 'JWT or sessions?', wait_seconds: 1 };
    const model = await startModel([{ name: tool('holdpoint_raise_question'), input }]);
    left.push(() => model.close());
    await prepare(home, workspace, model.url);
    const bins = [path.dirname(process.execPath), '/usr/bin', '/bin'];
    const env = { PATH: bins.join(path.delimiter), HOME: home, TERM: 'xterm-256color', ...more(model.url) };
    const setup = await holdpoint({ workspace, env }, 'setup', '--host', host);
    assert.equal(setup.code, 0, setup.err);
    const log = (by: string) => path.join(place.folder, `${by}.log`);
    await overhear(path.join(workspace, hosts[host]), log);
    return {
      ...{ program: found.program, workspace, env, model },
      sent: (by) => readFile(log(by), 'utf8'),
      async assertHeld() {
        const { out } = await holdpoint({ workspace, env }, 'question', 'show', 'Q-1', '--json');
        const { question } = JSON.parse(out) as { readonly question: QuestionView };
        assert.deepEqual([question.resolution, question.holding], [null, true]);
      },
    };
  }

  /** Has the host start our server between two programs that write down what passes. */
  async function overhear(file: string, log: (by: 'agent' | 'server') => string): Promise<void> {
    const settings = JSON.parse(await readFile(file, 'utf8')) as {
      readonly mcpServers: { readonly holdpoint: { readonly command: string; readonly args: readonly string[] } };
    };
    const { command, args, ...more } = settings.mcpServers.holdpoint;
    const quoted = [command, ...args].map((one) => `'${one}'`).join(' ');
    const script = `tee -a '${log('agent')}' | ${quoted} | tee -a '${log('server')}'`;
    const server = { ...more, command: '/bin/sh', args: ['-c', script] };
    await writeFile(file, JSON.stringify({ mcpServers: { holdpoint: server } }));
  }

  const link = /vscode:\/\/holdpoint\.holdpoint\/open\/Q-1\?workspace=[0-9a-f-]{36}/;

  /** What the model reads has the link, what to do first, no data, and the usual length. */
  function assertText(model: Model): void {
    const [said = ''] = model.results();
    const text = said.startsWith('{') ? (JSON.parse(said) as ToolResultBlock).content[0].text : said;
    assert.match(text, /^Q-1 is still waiting for a human/);
    assert.match(text, new RegExp(`Your human decides it here: ${link.source}`));
    assert.doesNotMatch(text, /holdpoint\/raise_question|waiting_for/, 'data');
    assert.ok(text.length <= usualLength, text);
  }

  it('Claude Code, without a person at it, closes the prompt; the text has the link', async function () {
    const here = (await ready('claude-code')) ?? this.skip();
    const ran = start(here.program, resumables['claude-code'].args('Ask.'), { cwd: here.workspace, env: here.env });
    assert.equal(await ran.exited, 0, ran.output());
    assert.match(await here.sent('agent'), /"elicitation":\{[^}]*\{\},"url":\{\}/, 'it says that it opens links');
    assert.match(await here.sent('server'), new RegExp(`"Q-1 needs your decision: JWT.*${link.source}`));
    assert.match(await here.sent('agent'), /"inputResponses":\{"Q-1":\{"action":"cancel"\}\}/);
    assertText(here.model);
    await here.assertHeld();
  });

  it('Claude Code in a terminal shows "Q-1 needs your decision" with the link, which decides nothing', async function () {
    if (onPath('python3') === undefined) this.skip();
    const here = (await ready('claude-code')) ?? this.skip();
    const args = ['Ask.', '--allowedTools', 'mcp__holdpoint'];
    const running = startInTerminal(here.program, args, { cwd: here.workspace, env: here.env });
    left.push(() => running.stop());
    const shown = () => stripVTControlCharacters(running.output());
    await until(
      'the prompt',
      () => shown().includes('Q-1 needs your decision: JWT or sessions?') && link.test(shown()),
    );
    await here.assertHeld();
  });

  it('Copilot CLI says that it opens links, and cannot: the text has the link', async function () {
    const here = (await ready('copilot-cli')) ?? this.skip();
    const ran = start(here.program, resumables['copilot-cli'].args('Ask.'), { cwd: here.workspace, env: here.env });
    assert.equal(await ran.exited, 0, ran.output());
    assert.match(await here.sent('agent'), /"elicitation":\{[^}]*\{\},"url":\{\}/, 'it says that it opens links');
    assert.doesNotMatch(await here.sent('server'), /input_required/);
    assertText(here.model);
    await here.assertHeld();
  });
});
