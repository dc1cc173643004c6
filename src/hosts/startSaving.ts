/** Starts the program that writes a snapshot for gates and hooks, which have no time to do so. */
import { spawn } from 'node:child_process';

/** Starts a detached, silent program that outlives this one. */
export function startSaving(program: string, folder: string): void {
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: 'ignore', windowsHide: true });
  // Only a cache: if it cannot be started, the next program tries again.
  child.on('error', () => undefined).unref();
}
