/** Runs a person's own program for each reminder, without a shell: texts are environment variables, never code. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Attempt, Channel } from '../app/waiting/reminderSender.ts';
import { commandEnvironment } from '../core/waiting/reminderFormats.ts';

export interface CommandOptions {
  readonly name: string;
  readonly argv: readonly string[];
  /** The program runs here: not in a workspace, where an agent could put files beside it. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number | undefined;
}

const usualTimeoutMs = 10_000;

export function commandChannel({ name, argv, home, env, timeoutMs = usualTimeoutMs }: CommandOptions): Channel {
  const [program, ...args] = argv;
  return {
    name,
    send(message) {
      if (program === undefined || !path.isAbsolute(program))
        return Promise.resolve(failed('its program must be an absolute path', true));
      return new Promise<Attempt>((resolve) => {
        const child = spawn(program, args, {
          cwd: home,
          env: { ...env, ...commandEnvironment(message) },
          shell: false,
          stdio: 'ignore',
          windowsHide: true,
        });
        const timer = setTimeout(() => {
          child.kill('SIGKILL');
          resolve(failed(`still running after ${String(timeoutMs / 1000)} s`, false));
        }, timeoutMs);
        const end = (attempt: Attempt) => {
          clearTimeout(timer);
          resolve(attempt);
        };
        child.on('error', (error: NodeJS.ErrnoException) => {
          end(failed(`not started (${error.code ?? 'unknown'})`, true));
        });
        child.on('exit', (code, signal) => {
          end(code === 0 ? { outcome: 'delivered' } : failed(`exit code ${String(code ?? signal)}`, false));
        });
      });
    },
  };
}

function failed(why: string, isFinal: boolean): Attempt {
  return { outcome: 'failed', why, isFinal };
}
