/**
 * `holdpoint setup --check --live vscode-copilot` as a person runs it, with the real Copilot agent of the Agent Host: a
 * scripted model does what the prompt asks for, and writes down what it got.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findCopilotSdk, promptCopilot } from '../support/copilotSdk.ts';
import { root } from '../support/host.ts';
import { checkPrinted } from '../support/outputs.ts';
import { startScriptedModel, textOf, type ModelRequest, type ModelTurn } from '../support/scriptedModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

interface Report {
  readonly result: string;
  readonly looks: Readonly<Record<string, string>>;
}

interface Live {
  readonly code: number | null;
  readonly out: string;
  readonly progress: string;
  readonly folder: string;
}

describe('The check of the Copilot agent by a person', () => {
  let place: TemporaryFolder;
  let program = '';
  let env: Record<string, string> = {};

  before(async function () {
    const found = await findCopilotSdk();
    if ('missing' in found || process.platform === 'win32') {
      console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
      return this.skip();
    }
    program = found.program;
    place = await temporaryFolder();
    const home = path.join(place.folder, 'home');
    await mkdir(home);
    env = { PATH: [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter), HOME: home };
  });
  after(() => (place as TemporaryFolder | undefined)?.remove());

  /**
   * The check, an agent that does what its prompt says, and Ctrl-C once that has finished.
   * @param without events that the host does not run
   */
  async function live(without: readonly string[], ...options: readonly string[]): Promise<Live> {
    const args = [path.join(root, 'dist', 'cli.mjs'), '--workspace', place.folder, 'setup', '--check'];
    const child = spawn(process.execPath, [...args, '--live', 'vscode-copilot', ...options], { env });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const out = text(child.stdout);
    let progress = '';
    child.stderr.setEncoding('utf8').on('data', (said: string) => (progress += said));
    try {
      while (!progress.includes('Waiting for its result')) await once(child.stderr, 'data');
      const [, folder = ''] = /Open the folder (.*) in VS Code/.exec(progress) ?? [];
      const hooks = path.join(folder, '.github', 'hooks', 'holdpoint-agent-host.json');
      const file = JSON.parse(await readFile(hooks, 'utf8')) as { readonly hooks: Readonly<Record<string, unknown>> };
      const run = Object.entries(file.hooks).filter(([event]) => !without.includes(event));
      assert.equal(run.length, 3 - without.length);
      await writeFile(hooks, JSON.stringify({ ...file, hooks: Object.fromEntries(run) }));
      await agentIn(folder, progress.slice(progress.indexOf('   1. ')));
      child.kill('SIGINT');
      const [code] = await closed;
      return { code, out: await out, progress, folder };
    } finally {
      child.kill('SIGKILL');
    }
  }

  async function agentIn(folder: string, prompt: string): Promise<void> {
    const model = await startScriptedModel(obedient(folder));
    const baseUrl = model.url.replace('/chat/completions', '');
    try {
      await promptCopilot({ program, folder, env, baseUrl, mcpServers: {}, prompt });
    } finally {
      await model.close();
    }
  }

  it('has proven all looks, each when it was seen', async () => {
    const { code, out, progress, folder } = await live([]);
    assert.match(progress, /Seen: the look before a call\.\nSeen: the look after a call\.\n/);
    assert.match(
      out,
      /^Proven: VS Code.*\n.*before a call: proven.*\n.*after a call: proven.*\n.*before a stop: proven/,
    );
    assert.equal(code, 0);
    assert.ok(!existsSync(folder));
  });

  it('is not proven without the look after a call, and says what to do', async () => {
    const { code, out } = await live(['postToolUse']);
    assert.match(
      out,
      /^Not proven: not everything.*\n.*before a call: proven.*\n.*after a call: not seen\. The script changed held\.txt.*postToolUse/,
    );
    assert.match(out, /before a stop: proven/);
    assert.equal(code, 1);
  });

  it('says the same in JSON, also without the look before a stop', async () => {
    const { code, out } = await live(['agentStop', 'postToolUse'], '--json');
    checkPrinted(out);
    const { result, looks } = JSON.parse(out) as Report;
    const unseen = { after_call: 'not seen', before_stop: 'not seen' };
    assert.deepEqual(
      { code, result, looks },
      { code: 1, result: 'not proven', looks: { before_call: 'proven', ...unseen } },
    );
  });

  it('is broken where the agent changes the held file', async () => {
    const { code, out } = await live(['preToolUse', 'postToolUse', 'agentStop'], '--json');
    assert.deepEqual([code, (JSON.parse(out) as Report).result], [1, 'broken']);
  });
});

/** An agent that does what the prompt asks for. */
function obedient(folder: string): (request: ModelRequest) => ModelTurn {
  const file = (name: string) => path.join(folder, name);
  const create = (name: string, content: string) => ({
    call: [{ name: 'create', input: { path: file(name), file_text: content } }],
  });
  const edit = { name: 'edit', input: { path: file('held.txt'), old_str: 'a', new_str: 'b' } };
  const script = { name: 'bash', input: { command: './tidy.sh', description: 'x' } };
  let step = 0;
  let isEnded = false;
  return ({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').map(textOf);
    const last = messages.at(-1);
    const latest = last ? textOf(last) : '';
    step += 1;
    if (step === 1) return { call: [edit] };
    if (step === 2) return create('reason.txt', results.at(-1) ?? '');
    if (step === 3) return { call: [script] };
    const notice = latest.includes('is held by') ? latest : '';
    if (step === 4 && notice !== '') return create('after.txt', notice);
    if (isEnded && notice !== '') {
      isEnded = false;
      return create('stop.txt', notice);
    }
    isEnded = true;
    return { say: 'Done.' };
  };
}
