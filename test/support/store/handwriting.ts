/**
 * Reads and writes the journal as anyone with a text editor can: written from the format's description, without the
 * store's own code, so that it checks that code.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

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

/** One file of a journal. */
export interface HandFile {
  readonly file: string;
  /** Position of its first byte, and of the end of its seal; null if it has none. */
  readonly base: number;
  readonly end: number | null;
}

/** The files of a journal in order, by a plain reading: each ends with a seal that names the next one. */
export function filesByHand(journal: string): HandFile[] {
  const files: HandFile[] = [];
  let [base, head] = [0, zeros];
  for (let file = journal, number = 2; ; number++) {
    const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
    let end: number | null = null;
    for (const line of readByHand(bytes, base, head).lines) {
      let sealed = false;
      for (const record of line.records) {
        sealed ||= ends(record);
      }
      if (!sealed) continue;
      [end, head] = [line.end, line.hash];
      break;
    }
    files.push({ file, base, end });
    if (end === null) return files;
    base = end;
    file = path.join(path.dirname(journal), `${String(number).padStart(8, '0')}-${String(end)}.jsonl`);
  }
}

/** The journal's files, concatenated; a last one that does not exist yet is empty. */
export function journalByHand(journal: string): Buffer {
  return Buffer.concat(
    filesByHand(journal).map(({ file, base, end }) =>
      fs.existsSync(file) ? fs.readFileSync(file).subarray(0, end === null ? undefined : end - base) : Buffer.alloc(0),
    ),
  );
}

/** Replaces a journal's bytes, split like its files; removes files that are no longer reached. */
export function putByHand(files: readonly HandFile[], bytes: Buffer): void {
  for (const { file, base, end } of files)
    if (base > 0 && base >= bytes.length) fs.rmSync(file, { force: true });
    else fs.writeFileSync(file, bytes.subarray(base, end ?? undefined));
}

function ends(record: unknown): boolean {
  const { kind, v } = membersOf(record);
  return kind === 'segment.sealed' && v === 1;
}

/** The members of any value, because anything can be written by hand. */
function membersOf(record: unknown): Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null ? (record as Readonly<Record<string, unknown>>) : {};
}

function lastFile(journal: string): string {
  return filesByHand(journal).at(-1)?.file ?? journal;
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
  fs.appendFileSync(lastFile(journal), encode(lineAfter(bytes, records, writing)), { mode: 0o600 });
}

/** Appends many lines, reading the journal once; after a seal they continue in the next file. */
export function writeManyByHand(
  journal: string,
  lines: readonly (Writing & { readonly records: readonly unknown[] })[],
): void {
  const before = journalByHand(journal);
  const known = readByHand(before);
  let { head } = known;
  let size = before.length;
  let number = filesByHand(journal).length;
  let file = lastFile(journal);
  let parts: Buffer[] = [];
  const write = () => {
    fs.appendFileSync(file, Buffer.concat(parts), { mode: 0o600 });
    parts = [];
  };
  for (const { records, ...writing } of lines) {
    const bytes = encode(body(records, { at: size, prev: head, ...writing }));
    parts.push(bytes);
    size += bytes.length;
    head = sha256(bytes.subarray(bytes.indexOf('{'), bytes.length - 1));
    let sealed = false;
    for (const record of records) {
      sealed ||= ends(record);
    }
    if (!sealed) continue;
    write();
    size -= 1; // its last line feed follows the seal
    file = path.join(path.dirname(journal), `${String(++number).padStart(8, '0')}-${String(size)}.jsonl`);
  }
  write();
}

function lineAfter(bytes: Buffer, records: readonly object[], writing: Writing = {}): object {
  return body(records, { at: bytes.length, prev: readByHand(bytes).head, ...writing });
}

function body(records: readonly unknown[], writing: Writing): object {
  const actor = { kind: 'agent', id: 'copilot-001', worktree: '.' };
  return { op: randomUUID(), time: '2026-03-02T10:00:00.000Z', actor, ...writing, records };
}
