/**
 * The ticket: a program that lost several races in a row asks the others to let it go first. Advice only: a stale or
 * missing ticket costs time at most, never correctness.
 */
import path from 'node:path';
import { errorCode } from './files.ts';
import type { FileSystem } from './files.ts';
import { storeFolder } from './journalFile.ts';

/** How long others wait for the holder. Milliseconds. */
const patience = 1_000;
const step = 5;

function ticketPath(root: string): string {
  return path.join(root, storeFolder, 'journal', 'ticket');
}

/** Takes the ticket unless another program has it. Returns what gives it back. */
export function holdTicket(fs: FileSystem, root: string, op: string): (() => void) | null {
  const file = ticketPath(root);
  try {
    const descriptor = fs.openSync(file, 'wx', 0o600);
    fs.writeSync(descriptor, Buffer.from(op));
    fs.closeSync(descriptor);
    return () => {
      fs.rmSync(file, { force: true });
    };
  } catch {
    return null;
  }
}

/** Waits while another program holds the ticket; one left behind by a program that died is removed after the wait. */
export function yieldToTicket(fs: FileSystem, root: string, op: string): void {
  const file = ticketPath(root);
  for (let waited = 0; fs.existsSync(file); waited += step) {
    if (holder(fs, file) === op) return;
    if (waited >= patience) {
      fs.rmSync(file, { force: true });
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, step);
  }
}

function holder(fs: FileSystem, file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    return null;
  }
}
