/**
 * An administrator's rules against agents that try to get rid of them: the real Claude Code, Codex and Copilot CLI with
 * scripted models, run by a user without rights on a private /etc and /opt.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findClaudeCode } from '../support/claudeCode.ts';
import { root } from '../support/host.ts';
import { findNpmHost } from '../support/npmHost.ts';
import { openPrivateMachine, type PrivateMachine } from '../support/privateMachine.ts';
import { anthropicResults, startScriptedAnthropic } from '../support/scriptedAnthropic.ts';
import { startScriptedModel } from '../support/scriptedModel.ts';
import { startScriptedResponses } from '../support/scriptedResponses.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

/** What an agent's user chooses: arguments, variables and files, in which $BASE is a folder of that user. */
interface Attempt {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

const off = '{"disableAllHooks":true}';
const ending = 'exit 0\n';

const claudeAttempts: Readonly<Record<string, Attempt>> = {
  nothing: {},
  'disableAllHooks everywhere': {
    files: {
      'ws/.claude/settings.json': off,
      'ws/.claude/settings.local.json': off,
      'home/.claude/settings.json': off,
    },
  },
  CLAUDE_CONFIG_DIR: { env: { CLAUDE_CONFIG_DIR: '$BASE/other' }, files: { 'other/settings.json': off } },
  'another HOME': { env: { HOME: '$BASE/other', XDG_STATE_HOME: '$BASE/other' } },
  '--settings': { args: ['--settings', '{"disableAllHooks":true,"allowManagedHooksOnly":false,"hooks":{}}'] },
  '--setting-sources': { args: ['--setting-sources', ''] },
  '--bare': { args: ['--bare'] },
  '--safe-mode': { args: ['--safe-mode'] },
  'another folder of managed settings': { env: { CLAUDE_CODE_MANAGED_SETTINGS_PATH: '$BASE/other' } },
  'variables in settings': {
    files: {
      'ws/.claude/settings.json':
        '{"env":{"BASH_ENV":"$BASE/end.sh","LD_PRELOAD":"$BASE/end.so","NODE_OPTIONS":"--require $BASE/end.cjs","PATH":"$BASE/bin","HOLDPOINT_STATE_FOLDER":"$BASE/other"}}',
      'end.sh': ending,
      'end.cjs': 'process.exit(0)\n',
    },
  },
};

const codexAttempts: Readonly<Record<string, Attempt>> = {
  'a folder that is not trusted': {},
  'hooks turned off': { args: ['-c', 'features.hooks=false', '--disable', 'hooks'] },
  'another CODEX_HOME and HOME': { env: { CODEX_HOME: '$BASE/other', HOME: '$BASE/other' } },
  'profiles of the shell': {
    files: { 'home/.bash_profile': ending, 'home/.bashrc': ending, 'home/.profile': ending },
    env: { SHELL: '/bin/bash' },
  },
};

const copilotAttempts: Readonly<Record<string, Attempt>> = {
  'a folder that is not trusted': {},
  disableAllHooks: {
    args: ['--trust-folder'],
    files: { 'ws/.github/copilot/settings.json': off, 'home/.copilot/settings.json': off },
  },
  'another COPILOT_HOME and HOME': { env: { COPILOT_HOME: '$BASE/other', HOME: '$BASE/other' } },
};

const codex = {
  name: 'codex',
  version: '0.169.0',
  packages: ['@openai/codex'],
  program: path.join('@openai', 'codex-linux-x64', 'vendor', 'x86_64-unknown-linux-musl', 'bin', 'codex'),
};

function codexConfig(url: string): string {
  return `model = "scripted-1"\nmodel_provider = "s"\n[model_providers.s]\nname = "s"\nbase_url = "${url}"\nwire_api = "responses"\n`;
}

const copilot = {
  name: 'copilot-cli',
  version: '1.0.102',
  packages: ['@github/copilot-linux-x64'],
  program: path.join('@github', 'copilot-linux-x64', 'copilot'),
};

function copilotEnvironment(url: string): Readonly<Record<string, string>> {
  return {
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: url.replace(/\/chat\/completions$/, ''),
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_MODEL: 'scripted-1',
    COPILOT_PROVIDER_MODEL_ID: 'scripted-1',
  };
}

describe('Rules of an administrator', () => {
  let temporary: TemporaryFolder;
  let machine: PrivateMachine;
  // The rules take no Node that others could replace, wherever this checkout is.
  const node = '/opt/node/node';
  const cli = [node, path.join(root, 'dist', 'cli.cjs')];

  before(async function () {
    temporary = await temporaryFolder();
    fs.chmodSync(temporary.folder, 0o755);
    const opened = openPrivateMachine(temporary.folder);
    if ('why' in opened) {
      console.log(`    ${opened.why}: skipped`);
      this.skip();
    }
    machine = opened;
    const copying = `umask 022 && mkdir /opt/node && cp "$0" ${node}`;
    await succeeds(['sh', '-c', copying, process.execPath]);
    await succeeds([...cli, 'setup', '--machine']);
  });
  async function succeeds(command: readonly string[]): Promise<void> {
    const { code, said } = await machine.run('root', command);
    assert.equal(code, 0, said);
  }

  after(async () => {
    (machine as PrivateMachine | undefined)?.close();
    await temporary.remove();
  });

  /** A copy that another user can read, of the package's part that the program needs: the cache may be private. */
  function readable(program: string, part = path.dirname(program)): string {
    const copy = path.join(temporary.folder, 'programs', path.basename(program));
    if (!fs.existsSync(copy)) fs.cpSync(part, copy, { recursive: true });
    return path.join(copy, path.relative(part, program));
  }

  /** A new workspace with a hold, the files of an attempt, and the command that it makes of them. */
  async function prepared({ args = [], env = {}, files = {} }: Attempt) {
    const base = fs.mkdtempSync(path.join(temporary.folder, 'attempt-'));
    const filled = (text: string) => text.replaceAll('$BASE', base);
    const workspace = path.join(base, 'ws');
    const held = path.join(workspace, 'held.txt');
    for (const folder of [workspace, path.join(base, 'home'), path.join(base, 'other')])
      fs.mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', workspace]);
    fs.writeFileSync(held, 'a\n');
    // Nothing says that this script changes a held file.
    fs.writeFileSync(path.join(workspace, 'tidy.sh'), '#!/bin/sh\nsleep 1\necho b > held.txt\n', { mode: 0o755 });
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
      fs.writeFileSync(path.join(base, file), filled(text));
    }
    fs.chmodSync(base, 0o755);
    machine.give(base);
    const question = ['--text', 'Which one?', '--type', 'decision', '--holds', 'held.txt'];
    const asked = await machine.run('user', [...cli, 'question', 'create', ...question], {
      cwd: workspace,
      env: { HOLDPOINT_AGENT_ID: 'other-001' },
    });
    assert.match(asked.said, /Q-1 is still waiting/);
    const chosen = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    return {
      held,
      base,
      run: (program: string, given: readonly string[], variables: Readonly<Record<string, string>>) =>
        machine.run('user', [program, ...given, ...args.map(filled)], {
          cwd: workspace,
          env: { HOME: path.join(base, 'home'), NO_PROXY: '127.0.0.1', ...variables, ...chosen },
        }),
    };
  }

  const denied = /Q-1|[Dd]enied by preToolUse hook/;

  it('are enforced, as the check of a user without rights says, who can change and remove none of them', async () => {
    const { code, said } = await machine.run('user', [...cli, 'setup', '--machine', '--check']);
    assert.equal(code, 0, said);
    for (const host of ['Claude Code', 'Codex', 'Copilot CLI', 'Cursor'])
      assert.match(said, new RegExp(`^${host}: enforced, an administrator's$`, 'm'));
    assert.match(said, /^agent could change none of these files/m);
    const removed = await machine.run('user', [...cli, 'setup', '--machine', '--remove']);
    assert.equal(removed.code, 2, removed.said);
    for (const file of ['/etc/claude-code/managed-settings.json', '/opt/holdpoint/bin/holdpoint'])
      assert.notEqual((await machine.run('user', ['rm', '-f', file])).code, 0, file);
  });

  for (const [name, attempt] of Object.entries(claudeAttempts))
    it(`stop Claude Code: ${name}`, async function () {
      const found = await findClaudeCode();
      if ('missing' in found) this.skip();
      const { held, run } = await prepared(attempt);
      const edit = { name: 'Edit', input: { file_path: held, old_string: 'a', new_string: 'b' } };
      const steps = [{ name: 'Read', input: { file_path: held } }, edit];
      let results: readonly string[] = [];
      const model = await startScriptedAnthropic((request) => {
        results = request.tools.length > 0 ? anthropicResults(request) : results;
        const step = request.tools.length > 0 ? steps[results.length] : undefined;
        return step ? { call: [step] } : { say: 'Done.' };
      });
      const { said } = await run(
        readable(found.program),
        ['-p', 'Change held.txt.', '--dangerously-skip-permissions'],
        {
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
        },
      );
      await model.close();
      assert.match(results[1] ?? said, denied);
      assert.equal(fs.readFileSync(held, 'utf8'), 'a\n');
    });

  for (const [name, attempt] of Object.entries(codexAttempts))
    it(`stop Codex: ${name}`, async function () {
      const found = await findNpmHost(codex);
      if ('missing' in found) this.skip();
      const model = await startScriptedResponses([{ name: 'exec_command', input: { cmd: 'echo b > held.txt' } }]);
      const config = codexConfig(model.url);
      const files = { ...attempt.files, 'home/.codex/config.toml': config, 'other/config.toml': config };
      const { held, run } = await prepared({ ...attempt, files });
      const { said } = await run(
        readable(found.program, path.dirname(path.dirname(found.program))),
        ['exec', '--dangerously-bypass-approvals-and-sandbox', 'Change held.txt.'],
        {},
      );
      await model.close();
      assert.match(model.results()[0] ?? said, denied);
      assert.equal(fs.readFileSync(held, 'utf8'), 'a\n');
    });

  for (const [name, attempt] of Object.entries(copilotAttempts))
    it(`stop Copilot CLI: ${name}`, async function () {
      const found = await findNpmHost(copilot);
      if ('missing' in found) this.skip();
      const { held, run } = await prepared(attempt);
      let results: readonly string[] = [];
      const model = await startScriptedModel(({ messages, tools }) => {
        const said = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
        if (said.length > 0) results = said;
        const edit = { name: 'edit', input: { path: held, old_str: 'a', new_str: 'b' } };
        return said.length === 0 && tools.length > 0 ? { call: [edit] } : { say: 'Done.' };
      });
      const { said } = await run(
        readable(found.program),
        ['-p', 'Change held.txt.', '--allow-all-tools'],
        copilotEnvironment(model.url),
      );
      await model.close();
      assert.match(results[0] ?? said, denied);
      assert.equal(fs.readFileSync(held, 'utf8'), 'a\n');
    });

  const changed = /held\.txt is held by Q-1 and was changed by `\.\/tidy\.sh`\. Restore it: holdpoint restore/g;

  it('have Claude Code read after a call that it changed a held file', async function () {
    const found = await findClaudeCode();
    if ('missing' in found) this.skip();
    const { held, run } = await prepared({});
    const script = { name: 'Bash', input: { command: './tidy.sh' } };
    const requests: string[] = [];
    const model = await startScriptedAnthropic((request) => {
      if (request.tools.length === 0) return { say: 'Done.' };
      requests.push(JSON.stringify(request.messages));
      return anthropicResults(request).length < 2 ? { call: [script] } : { say: 'Done.' };
    });
    const { said } = await run(readable(found.program), ['-p', 'Tidy up.', '--dangerously-skip-permissions'], {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    });
    await model.close();
    assert.equal(fs.readFileSync(held, 'utf8'), 'b\n', said);
    const [before, after, again, stop = 0] = timesRead(requests);
    assert.deepEqual([before, after, again], [0, 1, 1], 'once after the calls');
    assert.ok(stop > 1, 'and once more before it stops');
  });

  it('have Codex read after a call that it changed a held file', async function () {
    const found = await findNpmHost(codex);
    if ('missing' in found) this.skip();
    const script = { name: 'exec_command', input: { cmd: './tidy.sh' } };
    const model = await startScriptedResponses([script, script]);
    const config = codexConfig(model.url);
    const { held, run } = await prepared({ files: { 'home/.codex/config.toml': config } });
    const { said } = await run(
      readable(found.program, path.dirname(path.dirname(found.program))),
      ['exec', '--dangerously-bypass-approvals-and-sandbox', 'Tidy up.'],
      {},
    );
    await model.close();
    assert.equal(fs.readFileSync(held, 'utf8'), 'b\n', said);
    assert.deepEqual(timesRead(model.requests()), [0, 1, 1, 2], said);
  });

  it('have Copilot CLI read after a call that it changed a held file', async function () {
    const found = await findNpmHost(copilot);
    if ('missing' in found) this.skip();
    const { held, run } = await prepared({});
    const script = { name: 'bash', input: { command: './tidy.sh', description: 'x' } };
    const requests: string[] = [];
    const model = await startScriptedModel(({ messages, tools }) => {
      if (tools.length === 0) return { say: 'Done.' };
      requests.push(JSON.stringify(messages));
      return messages.filter(({ role }) => role === 'tool').length < 2 ? { call: [script] } : { say: 'Done.' };
    });
    const { said } = await run(
      readable(found.program),
      ['-p', 'Tidy up.', '--allow-all-tools'],
      copilotEnvironment(model.url),
    );
    await model.close();
    assert.equal(fs.readFileSync(held, 'utf8'), 'b\n', said);
    assert.deepEqual(timesRead(requests), [0, 1, 1, 2], said);
  });

  function timesRead(requests: readonly string[]): number[] {
    return requests.map((one) => one.match(changed)?.length ?? 0);
  }

  it('are removed by the administrator without a trace', async () => {
    const { code, said } = await machine.run('root', [...cli, 'setup', '--machine', '--remove']);
    assert.equal(code, 0, said);
    for (const place of ['/etc/claude-code', '/etc/codex', '/etc/github-copilot', '/etc/cursor', '/opt/holdpoint'])
      assert.notEqual((await machine.run('root', ['test', '-e', place])).code, 0, place);
  });
});
