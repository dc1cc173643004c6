/**
 * Reads and writes the journal as anyone with a text editor can: written from the format's description, without the
 * store's own code, so that it checks that code.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';

export interface HandLine {
  readonly at: number;
  readonly prev: string;
  readonly op: string;
  readonly time: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

export interface CountedHandLine extends HandLine {
  readonly hash: string;
  readonly end: number;
}

export const zeros = '0'.repeat(64);

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

export function encode(line: object): Buffer {
  const body = Buffer.from(JSON.stringify(line));
  return Buffer.concat([Buffer.from(`\n${String(body.length)} ${sha256(body)} `), body, Buffer.from('\n')]);
}

/**
 * The lines that count, by a plain reading of the format; `sound` is false if the chain is broken.
 * @param base position of the first byte, and the hash that a line there must follow
 */
export function readByHand(
  bytes: Buffer,
  base = 0,
  prev = zeros,
): { lines: CountedHandLine[]; head: string; sound: boolean } {
  const lines: CountedHandLine[] = [];
  let head = prev;
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== 0x0a) return { lines, head, sound: false };
    const found = bytes.indexOf(0x0a, at + 1);
    const stop = found < 0 ? bytes.length : found;
    const text = bytes.toString('utf8', at + 1, stop);
    const [, length = '', hash = '', body = ''] = /^(\d+) ([0-9a-f]{64}) (.*)$/s.exec(text) ?? [];
    if (length !== '' && Buffer.byteLength(body) === Number(length)) {
      if (sha256(body) !== hash) return { lines, head, sound: false };
      const line = JSON.parse(body) as HandLine;
      if (line.at === base + at) {
        if (line.prev !== head) return { lines, head, sound: false };
        lines.push({ ...line, hash, end: base + stop });
        head = hash;
      }
    }
    at = stop; // the rest was torn, and the next line starts with its own line feed
  }
  return { lines, head, sound: true };
}

export function journalByHand(journal: string): Buffer {
  return fs.existsSync(journal) ? fs.readFileSync(journal) : Buffer.alloc(0);
}

export interface Writing {
  readonly actor?: { readonly kind: string; readonly id: string; readonly [key: string]: unknown };
  readonly time?: string;
  readonly at?: number;
  readonly prev?: string;
  readonly op?: string;
}

/** Appends a line that counts, as an agent with a shell could. */
export function writeByHand(journal: string, records: readonly object[], writing: Writing = {}): void {
  const bytes = journalByHand(journal);
  fs.appendFileSync(journal, encode(lineAfter(bytes, records, writing)), { mode: 0o600 });
}

/** Appends many lines, reading the journal once. */
export function writeManyByHand(
  journal: string,
  lines: readonly (Writing & { readonly records: readonly unknown[] })[],
): void {
  const before = journalByHand(journal);
  let { head } = readByHand(before);
  let size = before.length;
  const parts = lines.map(({ records, ...writing }) => {
    const bytes = encode(body(records, { at: size, prev: head, ...writing }));
    size += bytes.length;
    head = sha256(bytes.subarray(bytes.indexOf('{'), bytes.length - 1));
    return bytes;
  });
  fs.appendFileSync(journal, Buffer.concat(parts), { mode: 0o600 });
}

function lineAfter(bytes: Buffer, records: readonly object[], writing: Writing = {}): object {
  return body(records, { at: bytes.length, prev: readByHand(bytes).head, ...writing });
}

function body(records: readonly unknown[], writing: Writing): object {
  const actor = { kind: 'agent', id: 'copilot-001', worktree: '.' };
  return { op: randomUUID(), time: '2026-03-02T10:00:00.000Z', actor, ...writing, records };
}
