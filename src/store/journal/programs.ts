/** Identifies programs on this machine, to tell whether the one that wrote a note is still running. */
import os from 'node:os';
import { errorCode, type FileSystem } from './files.ts';

export interface Programs {
  readonly self: Program;
  isRunning(program: Program): boolean;
}

export interface Program {
  readonly pid: number;
  /** Start time in the system's own format; null where the system does not report it. */
  readonly started: string | null;
  /**
   * When this was noted, milliseconds since the epoch. A process id from before the machine's last start is
   * meaningless.
   */
  readonly noted: number;
}

/** Clocks get adjusted and uptimes rounded, so a note this close to the boot may be from after it. Milliseconds. */
const bootSlackMs = 60_000;

export function programsOf(fs: FileSystem, clock: () => number): Programs {
  return {
    get self() {
      return { pid: process.pid, started: startOf(fs, process.pid), noted: clock() };
    },
    isRunning({ pid, started, noted }) {
      if (noted < clock() - os.uptime() * 1000 - bootSlackMs || !exists(pid)) return false;
      const now = startOf(fs, pid);
      return started === null || now === null || started === now;
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Linux reports when a process started, which reveals a reused process id. Source: proc(5), field 22. */
function startOf(fs: FileSystem, pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return (
      stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .at(19) ?? null
    );
  } catch {
    return null;
  }
}
