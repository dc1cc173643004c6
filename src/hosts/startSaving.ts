/** Starts the program that reads a journal and writes a snapshot, for programs that have no time to do so. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Starts it, detached and silent, so that it outlives this one. */
export function startSaving(program: string, folder: string): void {
  start(program, folder).unref();
}

/** The same, and resolves when it has ended. Never rejects. */
export function savedElsewhere(program: string, folder: string): Promise<void> {
  const child = start(program, folder);
  return new Promise((resolve) => {
    const over = () => {
      resolve();
    };
    child.once('error', over).once('exit', over);
  });
}

function start(program: string, folder: string): ChildProcess {
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: 'ignore', windowsHide: true });
  // Only a cache: if it cannot be started, the next program tries again.
  return child.on('error', () => undefined);
}
