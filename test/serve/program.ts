/** The built `holdpoint serve` on a workspace of its own, and an agent beside it. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { holdpoint, type Called } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import type { SystemUser } from '../support/secondUser.ts';
import { holdpointHere } from '../support/store/runCli.ts';
import { makeSandbox, type Sandbox } from '../support/store/sandbox.ts';

export interface Served {
  readonly sandbox: Sandbox;
  readonly origin: string;
  /** Where it listens, which may be another port than browsers use. */
  readonly port: number;
  /** The one-time code that the terminal shows. */
  readonly code: string;
  /** Runs a verb of the command line as an agent. */
  agent(...args: readonly string[]): Promise<Called>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** What spawned programs see of this machine: the sandbox's home. */
export function environmentOf({ home }: Pick<Sandbox, 'home'>): NodeJS.ProcessEnv {
  const own = {
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: home,
    HOLDPOINT_AGENT_ID: 'copilot-001',
    LANG: 'en_US.UTF-8',
  };
  return { PATH: process.env['PATH'], ...own };
}

export interface Program extends Pick<Served, 'origin' | 'port' | 'code'> {
  /** Sends a signal to the server, and waits for its end if it ends. */
  stop(): Promise<void>;
  /** Without a chance to finish. */
  kill(): Promise<void>;
}

/**
 * @param env more than the usual, such as another language
 * @param user another user of this machine, to whom the place belongs
 */
export async function spawnServe(
  place: Pick<Sandbox, 'folder' | 'home'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  user?: SystemUser,
): Promise<Program> {
  const cli = path.join(root, 'dist', 'cli.cjs');
  const child = spawn(process.execPath, [cli, '--workspace', place.folder, 'serve', ...args], {
    env: { ...environmentOf(place), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  });
  return { ...(await addressOf(child)), stop: () => ended(child, 'SIGTERM'), kill: () => ended(child, 'SIGKILL') };
}

export async function startServe(sandbox = makeSandbox(), args: readonly string[] = ['--port', '0']): Promise<Served> {
  const program = await spawnServe(sandbox, args);
  const where = { workspace: sandbox.folder, env: environmentOf(sandbox) };
  return {
    sandbox,
    ...program,
    // The verbs of the server belong to its own program.
    agent: (...verb) =>
      verb[0] === 'serve' ? holdpoint(where, ...verb) : holdpointHere(sandbox, environmentOf(sandbox), ...verb),
  };
}

export async function addressOf(child: ChildProcess): Promise<Pick<Served, 'origin' | 'port' | 'code'>> {
  assert.ok(child.stdout);
  let listening = '';
  for await (const line of createInterface({ input: child.stdout })) {
    listening = /^Listening on port (\d+)/.exec(line)?.[1] ?? listening;
    const [, origin, code] = /(https?:\/\/\S+)\/#(\S+)/.exec(line) ?? [];
    if (origin !== undefined && code !== undefined)
      return { origin, code, port: Number(listening === '' ? new URL(origin).port : listening) };
  }
  return assert.fail('the server ended before it listened');
}

/** A token of this agent, as its human makes one. */
export async function newToken(served: Served, name: string, agent: string): Promise<string> {
  const { code, out, err } = await served.agent('serve', 'token', 'add', name, '--agent', agent, '--json');
  assert.equal(code, 0, err);
  return (JSON.parse(out) as { token: string }).token;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await end;
}
