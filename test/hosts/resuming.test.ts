/**
 * The real Claude Code, Codex, Copilot CLI and opencode with scripted models: each runs a script that changes a held file,
 * which it reads after the call and before it stops; it asks, parks and ends; a human answers; the command that the editor
 * starts resumes the session, whose first message has brief and answer once. One of them each day, unless
 * HOLDPOINT_RUNS=all.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { questionView } from '../../src/app/question/views.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace/workspace.ts';
import { resumableHost, type ResumableHost } from '../../src/core/records/policy.ts';
import { resumePlan } from '../../src/vscode/answer/resumePlan.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { onPath } from '../support/machine.ts';
import { run, start, type Running } from '../support/processes.ts';
import { startInTerminal } from '../support/pty.ts';
import { resumables, type Model } from '../support/resumable.ts';
import { ofTheDay } from '../support/runs.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { realFs, wasm } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

const programs = {
  'claude-code': 'claude',
  codex: 'codex',
  'copilot-cli': 'copilot',
  opencode: 'opencode',
} as const satisfies Record<ResumableHost, string>;

describe('The real programs of hosts', () => {
  const left: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of left.splice(0).reverse()) await end();
  });

  interface Ready {
    readonly workspace: Workspace;
    readonly folder: string;
    readonly env: NodeJS.ProcessEnv;
    readonly model: Model;
  }

  /** Another agent's question holds this file, and no word of the script says that it changes it. */
  const held = 'src/auth.js';
  const script = './tidy.sh';

  /** A host that changed a held file, asked one question, parked it and ended. */
  async function parked(host: ResumableHost, program: string): Promise<Ready> {
    const { tool, shell, model: startModel, prepare, env: more, args, always = [] } = resumables[host];
    const place: TemporaryFolder = await temporaryFolder();
    left.push(() => place.remove());
    const [folder, home, bin] = ['shop', 'home', 'bin'].map((name) => path.join(place.folder, name)) as [
      string,
      string,
      string,
    ];
    for (const made of [folder, home, bin]) await mkdir(made);
    await run('git', ['init', '-q'], { cwd: folder });
    await mkdir(path.join(folder, 'src'));
    await writeFile(path.join(folder, held), 'one\n');
    await writeFile(path.join(folder, script), `#!/bin/sh\nsleep 1\necho two > ${held}\n`, { mode: 0o755 });
    const model = await startModel([
      shell(script),
      { name: tool('holdpoint_raise_question'), input: { text: 'JWT or sessions?', wait_seconds: 0 } },
      {
        name: tool('holdpoint_park_question'),
        input: { id: 'Q-2', doing: 'Writing the login.', next: 'Add the tokens.' },
      },
    ]);
    left.push(() => model.close());
    await prepare(home, folder, model.url);
    const wrapper = ['#!/bin/sh', `exec '${[program, ...always].join("' '")}' "$@"`, ''].join('\n');
    await writeFile(path.join(bin, programs[host]), wrapper, { mode: 0o755 });
    const bins = [bin, path.dirname(process.execPath), path.dirname(onPath('python3') ?? ''), '/usr/bin', '/bin'];
    const env = { PATH: bins.join(path.delimiter), HOME: home, TERM: 'xterm-256color', ...more(model.url) };
    const other = ['question', 'create', '--text', 'May I change it?', '--type', 'decision', '--holds', held];
    const asked = await holdpoint({ workspace: folder, env: { ...env, HOLDPOINT_AGENT_ID: 'other-001' } }, ...other);
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint({ workspace: folder, env }, 'setup', '--host', host);
    assert.equal(setup.code, 0, setup.err);
    const first = start(path.join(bin, programs[host]), args('Add a login.'), { cwd: folder, env });
    assert.equal(await first.exited, 0, first.output());
    assert.match(model.results().at(-1) ?? '', /Q-2 is parked/, first.output());
    assert.equal(await readFile(path.join(folder, held), 'utf8'), 'two\n');
    const workspace = openWorkspace({
      ...{ folder, fs: realFs, env, platform: 'linux', home, clock: Date.now, newId: randomUUID, wasm },
    });
    left.push(() => workspace.close());
    return { workspace, folder, env, model };
  }

  async function planOf(workspace: Workspace) {
    const look = async () => {
      const view = (await workspace.store()).read();
      return resumePlan(workspace, view.state, questionView(view, 'Q-2')!);
    };
    // Codex does not wait for the program of its MCP server to end.
    await until('its programs have ended', async () => (await look())?.kind !== 'running');
    const plan = await look();
    assert.ok(plan?.kind === 'ready', JSON.stringify(plan));
    return plan;
  }

  /** In the request after the call, and once more instead of a stop; opencode has no hook before a stop. */
  function noticed(host: ResumableHost, workspace: Workspace, model: Model): void {
    const [change, ...more] = workspace.standing().state?.heldFiles.get('Q-1')?.changes ?? [];
    assert.deepEqual([change?.path, change?.call, more], [held, script, []]);
    const told = /src\/auth\.js is held by Q-1 and was changed by `\.\/tidy\.sh`\. Restore it: holdpoint/;
    const prompts = model.prompts().at(-1) ?? [];
    const [called = []] = model.prompts().slice(1);
    assert.match([...called, ...model.results()].join('\n'), told, 'after the call');
    if (host !== 'opencode') assert.match(prompts.at(-1) ?? '', told, 'instead of the stop');
  }

  /** Without a network, opencode takes longer than other programs. */
  async function goesOn(model: Model, before: number, resumed: Running): Promise<void> {
    const end = Date.now() + 120_000;
    while (model.prompts().length === before) {
      if (Date.now() > end) assert.fail(resumed.output().slice(-3_000));
      await pause(200);
    }
  }

  for (const host of ofTheDay(resumableHost.options))
    it(`${host} goes on with brief and answer in the first message, once`, async function () {
      const found = await resumables[host].find();
      if ('missing' in found || process.platform !== 'linux' || onPath('python3') === undefined) {
        console.log(`    ${'missing' in found ? found.missing : 'needs Linux and Python'}: skipped`);
        this.skip();
      }
      const { workspace, env, model } = await parked(host, found.program);
      noticed(host, workspace, model);
      assert.equal((await planOf(workspace)).ended, true, 'its program is gone');
      await decide(workspace, enrolledHuman(workspace), 'Q-2');
      const { program, args, folder } = await planOf(workspace);
      const before = model.prompts().length;
      const resumed = startInTerminal(program, args, { cwd: folder, env });
      left.push(() => resumed.stop());
      await goesOn(model, before, resumed);
      const [first = []] = model.prompts().slice(before);
      const said = first.join('\n');
      for (const part of [
        /You were doing: Writing the login\./g,
        /Next: Add the tokens\./g,
        /Q-2 answered by Ada.*Yes, go on\./g,
      ])
        assert.equal(said.match(part)?.length, 1, `${String(part)}: ${said}`);
      assert.ok(said.includes('Add a login.'), 'it is the same session');
      assert.match(said, /Holdpoint: a human has decided Q-2/);
    });
});
