/** The hook program as hosts run it: it denies held files, and it denies on every failure. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { changePolicy, shownPolicyHash } from '../../src/app/decision/decisions.ts';
import { hostNames } from '../../src/core/kit/limits.ts';
import type { HostName } from '../../src/hosts/host.ts';
import { hosts } from '../../src/hosts/hosts.ts';
import { posixCommand } from '../../src/hosts/setup/place.ts';
import { launcherPath, writeLauncher } from '../../src/hosts/setup/launcher.ts';
import { raiseQuestion } from '../../src/tools/question/asking.ts';
import { registerWork } from '../../src/tools/work/work.ts';
import { runOperation } from '../../src/tools/kit/operation.ts';
import { isLate } from '../support/askHook.ts';
import { root } from '../support/host.ts';
import { asSentBy } from '../support/hostCalls.ts';
import { day, isFull, someOf } from '../support/runs.ts';
import { findNode22 } from '../support/npmHost.ts';
import { agent, decide, enrolledHuman, yes, signedBy } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const dist = path.join(root, 'dist');
interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  readonly args?: readonly string[];
  /** Null keeps standard input open. */
  readonly input?: string | Buffer | null;
  readonly node?: string;
}

/** A busy machine can be too slow for the five seconds of a hook, which then denies; it gets two further tries. */
async function run(place: Sandbox, host: string, how: How): Promise<Ran> {
  for (let tries = 1; ; tries++) {
    const ran = await runOnce(place, host, how);
    if (how.input === null || tries === 3 || !isLate(ran.out, ran.err)) return ran;
  }
}

async function runOnce(place: Sandbox, host: string, { args, input = '', node = process.execPath }: How): Promise<Ran> {
  const env = { PATH: process.env['PATH'], HOME: place.home };
  const isCommand = args === undefined && process.platform !== 'win32';
  const child = isCommand
    ? spawn('/bin/sh', ['-c', commandOf(place, host as HostName, node)], { env })
    : spawn(node, [path.join(dist, 'hook.cjs'), ...(args ?? [host, '--workspace', place.folder])], { env });
  child.stdin.on('error', () => undefined); // the program may exit before it has read everything
  if (input !== null) child.stdin.end(input);
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  child.stdin.destroy();
  return { code, out, err };
}

/** What setup writes into the host's files. */
function commandOf(place: Sandbox, host: HostName, node: string): string {
  writeLauncher(place.userFolder, { command: node, env: {}, programs: dist }, process.platform);
  const launcher = launcherPath(place.userFolder);
  const denial = hosts[host].deny;
  return posixCommand({ host, launcher, workspace: place.folder, denying: true, ...(denial && { denial }) });
}

/** Some canaries always name `held.txt`. */
function inputOf(host: HostName, file: string): object {
  const [, input] = hosts[host].setup.canary(file).edit;
  const members = Object.entries(input).map(([name, value]) => [name, String(value).replace('held.txt', () => file)]);
  return Object.fromEntries(members) as object;
}

function payload(place: Sandbox, host: HostName, more: object = {}): Record<string, unknown> {
  const [tool] = hosts[host].setup.canary('').edit;
  return asSentBy(host, {
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: place.folder,
    tool_name: tool,
    tool_input: inputOf(host, path.join(place.folder, 'src', 'auth.js')),
    ...more,
  });
}

/** Antigravity reads a denial from the output, where the hook has read its arguments. */
function isDenied(host: HostName, { code, out }: Ran): boolean {
  return code === 2 || (host === 'antigravity' && code === 0 && /^\{"decision":"deny","reason":"./.test(out));
}

/** A store in which another agent's question holds `src/auth.js`. */
async function held(): Promise<Sandbox> {
  const place = makeSandbox();
  place.clock.now = Date.now();
  fs.mkdirSync(path.join(place.folder, 'src'));
  fs.writeFileSync(path.join(place.folder, 'src', 'auth.js'), '');
  const workspace = place.open();
  const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
  const work = { id: 't-1', kind: 'task', title: 'Tokens', status: 'in_progress', holds: ['src/auth.js'] };
  assert.equal((await runOperation(registerWork, context, work)).status, 'ok');
  const asked = await runOperation(raiseQuestion, context, {
    text: 'JWT or sessions?',
    type: 'decision',
    work_id: 't-1',
  });
  assert.equal(asked.status, 'ok', asked.text);
  workspace.close();
  return place;
}

function assertAllowed(host: HostName, ran: Ran): void {
  assert.deepEqual([ran.code, isDenied(host, ran)], [0, false], ran.err);
}

/** A host without a form of its own for denials reads standard error only. */
function hasOutput(host: HostName): boolean {
  return hosts[host].setup.form === undefined || hosts[host].deny !== undefined;
}

type Failure = readonly [name: string, (place: Sandbox, host: HostName) => How];

const failures: readonly Failure[] = [
  ['empty standard input', () => ({ input: '' })],
  ['invalid JSON', () => ({ input: '{"tool_name":"Edit"' })],
  ['invalid Unicode', () => ({ input: Buffer.from([0x7b, 0xff, 0x7d]) })],
  ['a payload that is not an object', () => ({ input: '[]' })],
  ['too much input', () => ({ input: Buffer.alloc(33 * 1024 * 1024, ' ') })],
  ['standard input that never ends', () => ({ input: null })],
  ['an unknown version', (place, host) => ({ input: JSON.stringify(payload(place, host, { v: 2 })) })],
  [
    'an unknown event',
    (place, host) => ({ input: JSON.stringify(payload(place, host, { hook_event_name: 'AfterThought' })) }),
  ],
  ['a missing tool', (place, host) => ({ input: JSON.stringify(payload(place, host, { tool_name: undefined })) })],
  ['an unknown tool', (place, host) => ({ input: JSON.stringify(payload(place, host, { tool_name: 'Rewrite' })) })],
  [
    'an input of another shape',
    (place, host) => ({ input: JSON.stringify(payload(place, host, { tool_input: { x: 1 } })) }),
  ],
  [
    'an input that is not an object',
    (place, host) => ({ input: JSON.stringify(payload(place, host, { tool_input: 7 })) }),
  ],
  [
    'a relative path without a folder',
    (place, host) => ({
      input: JSON.stringify(payload(place, host, { cwd: undefined, tool_input: inputOf(host, 'other.js') })),
    }),
  ],
  [
    'a missing session',
    (place, host) => ({
      input: JSON.stringify(
        payload(place, host, {
          session_id: undefined,
          tool_input: inputOf(host, path.join(place.folder, 'other.js')),
        }),
      ),
    }),
  ],
  ['a missing workspace argument', (_place, host) => ({ args: [host] })],
  ['a relative workspace', (_place, host) => ({ args: [host, '--workspace', '.'] })],
  [
    'a missing workspace folder',
    (place, host) => ({ args: [host, '--workspace', place.at('gone')], input: JSON.stringify(payload(place, host)) }),
  ],
  ['an unknown option', (place, host) => ({ args: [host, '--workspace', place.folder, '--allow'], input: '{}' })],
  [
    'an unknown host',
    (place, host) => ({ args: ['nobody', '--workspace', place.folder], input: JSON.stringify(payload(place, host)) }),
  ],
];

/** Damage to a store; each kind makes it UNKNOWN. */
const damages: readonly [string, (place: Sandbox) => void][] = [
  [
    'a missing journal',
    (place) => {
      fs.rmSync(place.journal);
    },
  ],
  [
    'an empty journal',
    (place) => {
      fs.truncateSync(place.journal, 0);
    },
  ],
  [
    'a truncated journal',
    (place) => {
      fs.truncateSync(place.journal, fs.statSync(place.journal).size - 10);
    },
  ],
  [
    'a changed last line',
    (place) => {
      const bytes = fs.readFileSync(place.journal);
      bytes[bytes.length - 20]! ^= 1;
      fs.writeFileSync(place.journal, bytes);
    },
  ],
  [
    // Where a state is saved, what it says still holds: a hook then reads no earlier line.
    'an earlier line changed, and no saved state',
    (place) => {
      const bytes = fs.readFileSync(place.journal);
      bytes[bytes.indexOf('other-001')] = 0x78;
      fs.writeFileSync(place.journal, bytes);
      fs.rmSync(path.join(place.folder, '.holdpoint', 'state.json'), { force: true });
    },
  ],
  [
    'a folder in place of the journal',
    (place) => {
      fs.rmSync(place.journal);
      fs.mkdirSync(place.journal);
    },
  ],
  [
    'a missing store',
    (place) => {
      fs.rmSync(path.join(place.folder, '.holdpoint'), { recursive: true });
    },
  ],
  [
    'a pipe in place of the journal',
    (place) => {
      fs.rmSync(place.journal);
      execFileSync('mkfifo', [place.journal]);
    },
  ],
  [
    'a pipe in place of the state file',
    (place) => {
      const folder = path.join(place.userFolder, 'stores');
      const files = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
      const file = [
        ...files,
        ...fs.readdirSync(place.userFolder).map((name) => path.join(place.userFolder, name)),
      ].find((name) => name.endsWith('.json') && fs.readFileSync(name, 'utf8').includes('"position"'))!;
      fs.rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  ],
];

describe('the hook program', function () {
  this.timeout(240_000);
  afterEach(removeSandboxes);

  for (const [turn, host] of hostNames.entries())
    it(`denies failures on ${host}`, async () => {
      const place = await held();
      const ran = await Promise.all(
        someOf(failures, turn).map(async ([name, how]) => ({ name, ...(await run(place, host, how(place, host))) })),
      );
      for (const { name, code, out, err } of ran) {
        assert.ok(isDenied(host, { code, out, err }), `${name}: ${err}`);
        assert.ok(err.trim() !== '' && !/^\s+at /m.test(err), `${name} gives a reason without a stack trace: ${err}`);
        assert.doesNotMatch(out, /allow/i);
      }
    });

  for (const [turn, [name, damage]] of damages.entries())
    it(`denies with ${name}, but allows reading and asking`, async function () {
      if (process.platform === 'win32') this.skip();
      const place = await held();
      damage(place);
      // One after another: a hook that many others slow down gives up after some seconds, and denies.
      for (const host of isFull ? hostNames : [hostNames[(day + turn) % hostNames.length]!]) {
        const ran = await run(place, host, { input: JSON.stringify(payload(place, host)) });
        assert.ok(isDenied(host, ran), `${host}: ${ran.err}`);
        assert.match(ran.err, /UNKNOWN|cannot tell/);
        const [name, input] = hosts[host].setup.canary('held.txt').read;
        const read = payload(place, host, { tool_name: name, tool_input: input });
        assertAllowed(host, await run(place, host, { input: JSON.stringify(read) }));
        const ask = payload(place, host, { tool_name: 'holdpoint_check_gate', tool_input: {} });
        assertAllowed(host, await run(place, host, { input: JSON.stringify(ask) }));
      }
    });

  it('denies held files and names the question, and prints no objection after a human’s answer', async () => {
    const place = await held();
    for (const host of hostNames) {
      const ran = await run(place, host, { input: JSON.stringify(payload(place, host)) });
      assert.ok(isDenied(host, ran), host);
      for (const said of hasOutput(host) ? [ran.out, ran.err] : [ran.err])
        assert.match(said, /Q-1 .*JWT or sessions\?/);
    }
    const workspace = place.open();
    await decide(workspace, enrolledHuman(workspace), 'Q-1', yes);
    workspace.close();
    for (const host of hostNames)
      assert.deepEqual(await run(place, host, { input: JSON.stringify(payload(place, host)) }), {
        code: 0,
        // Cursor takes no output for a failure.
        out: host === 'cursor' ? '{}\n' : '',
        err: '',
      });
  });

  it('allows MCP tools that a human signed as read-only, in each host’s spelling', async () => {
    const place = await held();
    const workspace = place.open();
    const store = await workspace.store();
    const hooks = { readOnlyTools: ['docs/search', 'mcp__wiki__read'] };
    const policy = { ...workspace.standing().state!.policy, hooks };
    await changePolicy(signedBy(store, enrolledHuman(workspace)), policy, shownPolicyHash(store.read().state));
    workspace.close();
    const call = async (host: HostName, tool_name: string, file = 'src/auth.js') => {
      const input = payload(place, host, { tool_name, tool_input: { path: path.join(place.folder, file) } });
      const ran = await run(place, host, { input: JSON.stringify(input) });
      return isDenied(host, ran) ? 2 : ran.code;
    };
    for (const host of hostNames) {
      const { serverToolName } = hosts[host];
      assert.equal(await call(host, serverToolName('docs', 'search')), 0, host);
    }
    for (const host of someOf(hostNames, day))
      for (const other of [hosts[host].serverToolName('docs', 'write'), hosts[host].serverToolName('doc', 'search')])
        assert.equal(await call(host, other), 2, `${host}: ${other}`);
    assert.equal(await call('claude-code', 'mcp__wiki__read'), 0);
    assert.equal(await call('codex', 'mcp__wiki__readme'), 2);
    // The policy names a tool of an MCP server, not the host’s own tool with that name.
    assert.equal(await call('claude-code', 'docs/search'), 2);
  });

  it('notes what a host asks its user by itself, and what it reports as the answer', async () => {
    const place = await held();
    const asked = {
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: 'JWT?', options: [{ label: 'Yes' }, { label: 'No' }] }] },
    };
    const answered = { ...asked, hook_event_name: 'PostToolUse', tool_response: { answers: { 'JWT?': 'Yes' } } };
    const noted = () => {
      const workspace = place.open();
      const question = workspace.standing().state?.questions.get('Q-2');
      workspace.close();
      // The state keeps no text of a closed question.
      return [question?.mode, question?.status, question?.raised?.text, question?.resolution?.note];
    };
    for (const [more, wanted] of [
      [asked, ['async', 'pending', 'JWT?', undefined]],
      [answered, ['async', 'cancelled', undefined, 'Answered in Claude Code, as it reports: Yes']],
    ] as const) {
      const input = JSON.stringify(payload(place, 'claude-code', more));
      // A machine that is too slow to note it in time asks without a note.
      await until('it is noted', async () => {
        assert.deepEqual(await run(place, 'claude-code', { input }), { code: 0, out: '', err: '' });
        return isDeepStrictEqual(noted(), wanted);
      });
    }
  });

  it('runs on Node 22, the oldest supported one', async function () {
    this.timeout(60_000);
    const found = await findNode22();
    if (!('program' in found)) this.skip();
    const node = found.program;
    const place = await held();
    const { code, err } = await run(place, 'claude-code', {
      node,
      input: JSON.stringify(payload(place, 'claude-code')),
    });
    assert.equal(code, 2);
    assert.match(err, /Q-1/);
    const start = { hook_event_name: 'SessionStart', session_id: 's', cwd: place.folder, source: 'startup' };
    const started = await run(place, 'claude-code', { node, input: JSON.stringify(start) });
    assert.equal(started.code, 0, started.err);
    assert.match(started.out, /Waiting for a Human.*Q-1/);
    assert.equal((await run(place, 'claude-code', { node, input: null })).code, 2);
  });
});
