import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Running {
  readonly pid: number;
  /** Settles when the process has ended, with its exit code (null if a signal ended it). */
  readonly exited: Promise<number | null>;
  /** The first matching line of output, past or future; rejects if the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** All output so far, for error messages. */
  output(): string;
  /** Ends the process and everything it started. */
  stop(): Promise<void>;
}

export interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  user?: { readonly uid: number; readonly gid: number } | undefined;
  onLine?: (line: string) => void;
  /** Ends it with this process; by default SIGKILL. SIGTERM for a program that has to end others. */
  endWith?: NodeJS.Signals;
}

const windows = process.platform === 'win32';
const alive = new Map<ChildProcess, NodeJS.Signals>();

/** No child process outlives this process, however it ends, except by SIGKILL. */
process.on('exit', () => {
  for (const [child, signal] of alive) signalTree(child, signal);
});

/** On POSIX the child leads its own process group, so that one signal reaches its whole tree and nothing else. */
function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function start(command: string, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    shell: windows && command.endsWith('.cmd'),
    ...options.user,
  });
  alive.set(child, options.endWith ?? 'SIGKILL');
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      options.onLine?.(line);
      for (const see of waiting) see(line);
    });
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  }).finally(() => {
    // Also ends the rest of its group.
    if (!windows) signalTree(child, 'SIGKILL');
    alive.delete(child);
  });
  exited.catch(() => undefined);

  return {
    pid: child.pid ?? -1,
    exited,
    output: () => lines.join('\n'),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const see = (line: string): void => {
          const match = pattern.exec(line);
          if (!match) return;
          waiting.delete(see);
          resolve(match);
        };
        waiting.add(see);
        for (const line of lines) see(line);
        exited.then(
          () => {
            reject(new Error(`${command} ended without printing ${String(pattern)}:\n${lines.join('\n')}`));
          },
          (error: unknown) => {
            reject(new Error(`${command} did not start`, { cause: error }));
          },
        );
      }),
    stop: async () => {
      if (!alive.has(child)) return;
      signalTree(child, 'SIGTERM');
      const late = setTimeout(() => {
        signalTree(child, 'SIGKILL');
      }, 5_000);
      await exited.catch(() => null);
      clearTimeout(late);
    },
  };
}

/** Runs a command to its end with the output on this terminal; rejects for a non-zero exit code. */
export async function run(command: string, args: readonly string[], options: StartOptions = {}): Promise<void> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows && command.endsWith('.cmd'),
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code ?? 'none'}`);
}
