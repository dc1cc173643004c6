/** The memory of other processes, as a program of the same user or root reads it on Linux. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

interface Looked {
  readonly all: readonly number[];
  /** Those with the text in their memory. */
  readonly holding: readonly number[];
}

/** Which processes with this home have a text in memory; null where memory cannot be read. */
export function processesHolding(text: string, home: string): Looked | null {
  if (process.platform !== 'linux') return null;
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && homeOf(pid) === home);
  try {
    return { all, holding: all.filter((pid) => holds(pid, text)) };
  } catch {
    return null;
  }
}

function homeOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0');
    return variables.find((one) => one.startsWith('HOME='))?.slice('HOME='.length);
  } catch {
    return undefined; // another user's, or it has ended
  }
}

const most = 1 << 26;

function holds(pid: number, text: string): boolean {
  const memory = openSync(`/proc/${String(pid)}/mem`, 'r');
  try {
    return writableOf(pid).some(({ from, length }) => {
      const part = Buffer.alloc(length);
      try {
        return part.subarray(0, readSync(memory, part, 0, length, from)).includes(text);
      } catch {
        return false; // not in use any more
      }
    });
  } finally {
    closeSync(memory);
  }
}

/** The mapped memory that a program writes to, in parts. */
function writableOf(pid: number): { from: number; length: number }[] {
  const maps = readFileSync(`/proc/${String(pid)}/maps`, 'utf8');
  return [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)].flatMap(([, from = '', to = '']) => {
    const [start, end] = [parseInt(from, 16), parseInt(to, 16)];
    const parts = Math.ceil((end - start) / most);
    return Array.from({ length: parts }, (_, index) => {
      const at = start + index * most;
      return { from: at, length: Math.min(most, end - at) };
    });
  });
}
