/** The program that writes a snapshot for gates and hooks, which cannot. */
import { spawn } from 'node:child_process';

/** Starts a program that goes on when this one ends, and says nothing. */
export function startSaving(program: string, folder: string): void {
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: 'ignore', windowsHide: true });
  // A cache: where it cannot be started, the next program tries again.
  child.on('error', () => undefined).unref();
}
