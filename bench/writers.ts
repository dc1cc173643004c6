/** Several writing programs on one store, started and triggered together. */
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { sharedNow } from './stats.ts';
import type { Order, Way, Written } from './writer.ts';

export interface Writers {
  /** One round: all write `count` commits together, or as many as fit into `forMs`. */
  round(count: number, forMs: number): Promise<Round>;
  close(): Promise<void>;
}

export interface Round {
  /** Milliseconds per acknowledged commit, over all programs. */
  readonly perCommit: number;
  /** Durations of single commits. Milliseconds. */
  readonly took: readonly number[];
  /** Why clients gave up, if any did. */
  readonly failed: readonly string[];
}

/** Time for all to catch up and wait for the start. Milliseconds. */
const leadMs = 30;

/** A way to write, with another program than this checkout's. */
export interface OtherWriter {
  readonly way: Way;
  readonly script: string;
}

export async function startWriters(chosen: Way | OtherWriter, count: number, ...where: string[]): Promise<Writers> {
  const { way, script } =
    typeof chosen === 'string' ? { way: chosen, script: path.join(import.meta.dirname, 'writer.ts') } : chosen;
  return writersOf(Array.from({ length: count }, () => fork(script, [way, ...where], { stdio: 'inherit' })));
}

/** Programs that report when they are ready, and then take orders. */
export async function writersOf(programs: readonly ChildProcess[]): Promise<Writers> {
  const count = programs.length;
  try {
    await Promise.all(programs.map(message));
  } catch (error) {
    for (const program of programs) program.kill('SIGKILL');
    throw error;
  }
  return {
    async round(commits, forMs) {
      const from = sharedNow() + leadMs;
      const order: Order = { from, until: from + forMs, count: Math.max(1, Math.round(commits / count)) };
      const written = (await Promise.all(
        programs.map((program) => {
          program.send(order);
          return message(program);
        }),
      )) as Written[];
      const took = written.flatMap((each) => each.took);
      const lasted = Math.max(...written.map(({ ended }) => ended)) - Math.min(...written.map(({ began }) => began));
      return { perCommit: lasted / took.length, took, failed: written.flatMap(({ failed = [] }) => failed) };
    },
    async close() {
      await Promise.all(programs.map(dismiss));
    },
  };
}

/** Ends a program that lives while it is connected. */
export function dismiss(program: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (program.exitCode !== null || program.signalCode !== null) {
      resolve();
      return;
    }
    program.once('exit', () => {
      resolve();
    });
    program.disconnect();
  });
}

/** The next message of a program; rejects if it ends first. */
export function message(program: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => {
      reject(new Error(`a program ended (${String(code)})`));
    };
    program.once('exit', ended);
    program.once('message', (value) => {
      program.off('exit', ended);
      resolve(value);
    });
  });
}
