/**
 * How the windows of one person agree on who shows a notification: each appends lines to one file, and the first line
 * with a name is used. Claims outlive restarts. One file for many, because a window that opens may claim thousands.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { closeQuietly, makeFolderOf, readRange, statOrNull } from '../../store/journal/files.ts';

export interface Claimed {
  /** Null if only this window shows it. */
  readonly claim: string | null;
}

export type Claims = ReturnType<typeof openClaims>;

/** What was claimed by whom. */
type Line = readonly [claim: string, window: string];

/** A file is for a month or so; it and the next are read. What is open for longer may be notified of again, once. */
const periodMs = 30 * 24 * 60 * 60_000;

/**
 * @param folder need not exist
 * @param clock milliseconds since the epoch
 */
export function openClaims(folder: string, clock: () => number = Date.now) {
  const window = randomBytes(6).toString('base64url');
  const lines = openLines(folder, clock);
  const owners = new Map<string, string>();

  function follow(): void {
    for (const [claim, by] of lines.added()) if (!owners.has(claim)) owners.set(claim, by);
  }

  function take(wanted: readonly Line[]): ReadonlySet<string> {
    try {
      follow();
      const free = wanted.filter(([claim]) => !owners.has(claim));
      if (free.length === 0) return new Set();
      lines.add(free);
      follow();
      return new Set(free.flatMap(([claim]) => ((owners.get(claim) ?? window) === window ? claim : [])));
    } catch {
      return new Set(wanted.map(([claim]) => claim));
    }
  }

  return {
    /**
     * Those that this window is first to claim, or that need no claim; also those for which the disk does not say so,
     * because two notifications are better than none.
     */
    takeAll<One extends Claimed>(all: readonly One[]): One[] {
      const ours = take(all.flatMap(({ claim }): Line[] => (claim === null ? [] : [[claim, window]])));
      return all.filter(({ claim }) => claim === null || ours.has(claim));
    },
  };
}

/** The lines of all windows. @throws where the disk refuses */
function openLines(folder: string, clock: () => number) {
  /** How much of each file was read. Bytes. */
  const read = new Map<string, number>();

  /** The last two, in their order. */
  function files(): readonly [string, string] {
    const period = Math.floor(clock() / periodMs);
    const name = (of: number) => path.join(folder, `${String(of)}.jsonl`);
    return [name(period - 1), name(period)];
  }

  /** Whole lines: another window may be writing the last. */
  function newBytes(file: string): Buffer {
    const from = read.get(file) ?? 0;
    const size = statOrNull(fs, file)?.size ?? 0;
    if (size <= from) return Buffer.alloc(0);
    const descriptor = fs.openSync(file, 'r');
    try {
      const bytes = readRange(fs, descriptor, from, size);
      const length = bytes.lastIndexOf('\n') + 1;
      read.set(file, from + length);
      return bytes.subarray(0, length);
    } finally {
      closeQuietly(fs, descriptor);
    }
  }

  /** Removes entries that nobody reads any more. */
  function begin(file: string): void {
    makeFolderOf(fs, file);
    const current = files().map((one) => path.basename(one));
    void removeAll(fs.readdirSync(folder).flatMap((name) => (current.includes(name) ? [] : path.join(folder, name))));
  }

  return {
    /** Those that were added since the last call, by any window. */
    added: () => files().flatMap((file) => linesIn(newBytes(file))),
    /** In one write, which no other interrupts. It begins with a line feed, which ends a line that a crash has torn. */
    add(lines: readonly Line[]): void {
      const [, file] = files();
      if (!fs.existsSync(file)) begin(file);
      fs.appendFileSync(file, `\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`, { mode: 0o600 });
    },
  };
}

/** A leftover file is harmless. */
async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await fs.promises.rm(file, { force: true }).catch(() => undefined);
}

/** Without empty lines, and those that a crash has torn. */
function linesIn(bytes: Buffer): Line[] {
  return bytes.toString('utf8').split('\n').map(jsonOrNull).filter(isLine);
}

function isLine(found: unknown): found is Line {
  return Array.isArray(found) && found.length >= 2 && found.every((one) => typeof one === 'string');
}
