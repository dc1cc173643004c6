/** The built `holdpoint serve` on a workspace of its own, and an agent beside it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { holdpoint } from '../support/holdpoint.ts';
import type { Called } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { makeSandbox } from '../support/store/sandbox.ts';
import type { Sandbox } from '../support/store/sandbox.ts';

export interface Served {
  readonly sandbox: Sandbox;
  readonly origin: string;
  /** The one-time code that the terminal shows. */
  readonly code: string;
  /** Runs a verb of the command line as an agent. */
  agent(...args: readonly string[]): Promise<Called>;
  /** Sends a signal to the server, and waits for its end if it ends. */
  stop(): Promise<void>;
}

/** What spawned programs see of this machine: the sandbox's home. */
export function environmentOf({ home }: Sandbox): NodeJS.ProcessEnv {
  const own = {
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: home,
    HOLDPOINT_AGENT_ID: 'copilot-001',
    LANG: 'en_US.UTF-8',
  };
  return { PATH: process.env['PATH'], ...own };
}

export async function startServe(sandbox = makeSandbox(), args: readonly string[] = ['--port', '0']): Promise<Served> {
  const env = environmentOf(sandbox);
  const cli = path.join(root, 'dist', 'cli.cjs');
  const child = spawn(process.execPath, [cli, '--workspace', sandbox.folder, 'serve', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { origin, code } = await addressOf(child);
  return {
    ...{ sandbox, origin, code },
    agent: (...verb) => holdpoint({ workspace: sandbox.folder, env }, ...verb),
    stop: () => ended(child),
  };
}

async function addressOf(child: ChildProcess): Promise<{ origin: string; code: string }> {
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin, code] = /(https?:\/\/\S+)\/#(\S+)/.exec(line) ?? [];
    if (origin !== undefined && code !== undefined) return { origin, code };
  }
  return assert.fail('the server ended before it listened');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
