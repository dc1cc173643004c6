/**
 * The ticket: a program that lost several races in a row asks the others to let it go first. Advisory: a stale or
 * missing ticket can cost time, never correctness.
 */
import path from 'node:path';
import type { FileSystem } from './files.ts';
import { storeFolder } from './segments.ts';

/** How long others wait for the holder. Milliseconds. */
const patience = 1_000;
const step = 0.5;

export function ticketPath(root: string): string {
  return path.join(root, storeFolder, 'journal', 'ticket');
}

/** Takes the ticket unless another program has it. Returns a function that releases it. */
export function holdTicket(fs: FileSystem, file: string, op: string): (() => void) | null {
  try {
    const descriptor = fs.openSync(file, 'wx', 0o600);
    fs.writeSync(descriptor, Buffer.from(op));
    fs.closeSync(descriptor);
    return () => {
      remove(fs, file);
    };
  } catch {
    return null;
  }
}

/** Waits while another program holds the ticket; removes a ticket left by a crashed program after the wait. */
export function yieldToTicket(fs: FileSystem, file: string, op: string): void {
  for (let waited = 0; waited < patience; waited += step) {
    // Usually there is none, and checking costs less than a failed read.
    if (!fs.existsSync(file)) return;
    const holder = holderOf(fs, file);
    if (holder === null || holder === op) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, step);
  }
  remove(fs, file);
}

/** Null when there is no ticket, or its content is invalid. */
function holderOf(fs: FileSystem, file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function remove(fs: FileSystem, file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The next program removes it after its own wait.
  }
}
