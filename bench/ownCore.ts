/** Keeps one processor core for one program, so that its pauses are its own and not the turns of other programs. */
import { spawnSync } from 'node:child_process';
import os from 'node:os';

/** Whether this machine can do it: `taskset` of util-linux, and a core for all others. */
export function canShareCores(): boolean {
  const { status } = spawnSync('taskset', ['--version'], { stdio: 'ignore' });
  return process.platform === 'linux' && status === 0 && os.availableParallelism() > 1;
}

/** Moves this program, and with it all that it starts from now on, off the last core. Returns how to undo that. */
export function leaveLastCore(): () => void {
  const last = os.cpus().length - 1;
  pin(process.pid, last === 1 ? '0' : `0-${String(last - 1)}`);
  return () => {
    pin(process.pid, `0-${String(last)}`);
  };
}

/** Gives a program with all its threads the last core. */
export function giveLastCore(pid: number): void {
  pin(pid, String(os.cpus().length - 1));
}

function pin(pid: number, cores: string): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}
