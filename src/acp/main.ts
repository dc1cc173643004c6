/**
 * Entry of the proxy: `acp.cjs [--workspace <folder>] -- <agent> [arguments]`. It speaks the Agent Client Protocol with a
 * client over standard input and output, and with the agent that it starts.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { visibleText } from '../core/kit/visible.ts';
import { askInThread } from './gate.ts';
import { BrokenConnection, linesOf } from './messages.ts';
import { openProxy } from './proxy.ts';
import { mcpServer } from './server.ts';

type Agent = ChildProcessByStdio<Writable, Readable, null>;

/** For an agent to end by itself once its input has ended. */
const graceMs = 5_000;

const isPosix = process.platform !== 'win32';
const log = (text: string) => void process.stderr.write(visibleText(`holdpoint acp: ${text}\n`));

function start(): void {
  const argv = process.argv.slice(2);
  const at = argv.indexOf('--');
  const [program, ...args] = at < 0 ? [] : argv.slice(at + 1);
  const options = at < 0 ? argv : argv.slice(0, at);
  const workspace = options[0] === '--workspace' && options.length === 2 ? (options[1] ?? null) : null;
  if (program === undefined || (options.length > 0 && workspace === null)) {
    log('the arguments must be [--workspace <folder>] -- <agent> [arguments]');
    process.exitCode = 1;
    return;
  }
  // The agent's stderr is ours: clients show it. A group of its own, because agents start themselves again as a child.
  const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: isPosix, windowsHide: true });
  void run(agent, workspace === null ? null : path.resolve(workspace)).then((code) => process.exit(code));
}

/** The exit code. */
async function run(agent: Agent, workspace: string | null): Promise<number> {
  const proxy = openProxy({
    ask: askInThread(path.join(import.meta.dirname, 'hookThread.cjs')),
    toAgent: (line) => write(agent.stdin, line),
    toClient: (line) => write(process.stdout, line),
    newId: randomUUID,
    server: mcpServer(path.join(import.meta.dirname, 'mcp.cjs'), process),
    workspace,
    log,
  });
  // A side that has gone is noticed by its end.
  for (const stream of [agent.stdin, process.stdout, process.stdin]) stream.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    agent.once('error', (error) => resolve(`the agent cannot be started (${error.message})`));
    agent.once('close', (code, signal) => resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`));
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      end(agent, signal);
    });

  const broken = await Promise.race([
    passed('client', process.stdin, proxy.fromClient),
    passed('agent', agent.stdout, proxy.fromAgent).then(async (why) => why ?? (await agentEnded(ended))),
  ]);
  if (broken !== null) {
    log(broken);
    await proxy.end(`Holdpoint ended the connection: ${broken}`);
  }
  await stop(agent, ended);
  await proxy.end('The client ended the connection');
  await write(process.stdout, '');
  // Negative where it could not be started.
  return Math.max(agent.exitCode ?? 0, broken === null ? 0 : 1);
}

/** Why the agent writes no more. */
async function agentEnded(ended: Promise<string>): Promise<string> {
  const how = await within(ended);
  return how === null ? 'the agent closed its output' : `the agent ended: ${how}`;
}

/** Null: until the end of the stream, all is well. */
async function passed(
  side: string,
  stream: Readable,
  handle: (line: Uint8Array) => Promise<void>,
): Promise<string | null> {
  try {
    for await (const line of linesOf(stream)) await handle(line);
    return null;
  } catch (error) {
    if (!(error instanceof BrokenConnection)) return error instanceof Error ? error.message : String(error);
    return `the ${side} sent ${error.message}`;
  }
}

async function stop(agent: Agent, ended: Promise<string>): Promise<void> {
  agent.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if ((await within(ended)) !== null) return;
    end(agent, signal);
  }
}

function end(agent: Agent, signal: NodeJS.Signals): void {
  if (agent.pid === undefined) return;
  try {
    if (isPosix) process.kill(-agent.pid, signal);
    else agent.kill(signal);
  } catch {
    // It has ended.
  }
}

async function within(ended: Promise<string>): Promise<string | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, graceMs, null).unref();
  });
  return Promise.race([ended, late]);
}

/** Resolves once the reader keeps up, or has gone. */
function write(stream: Writable, line: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) {
      resolve();
      return;
    }
    if (line.length > 0) stream.write(line);
    stream.write(line.length > 0 ? '\n' : '', () => resolve());
  });
}

start();
