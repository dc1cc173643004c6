/**
 * Snapshots: the projection as a SQLite file, with the fold's state next to it. Only caches; an untrusted one is
 * rebuilt.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeQuietly, replaceFile, type FileSystem, storeFolder } from '../journal/files.ts';
import { ignoreErrors } from '../journal/problem.ts';
import type { Ledger } from '../journal/ledger.ts';
import { sha256 } from '../../trust/canonical.ts';
import { stateInTurns } from './current.ts';
import { formatState, originOf, savedEntries, snapshotName, type Place, type SavedOrigin } from './state.ts';
import { openDatabase, type Database, type Engine } from '../rows/sqlite.ts';
import type { SnapshotEntry, StateFile } from '../journal/stateFile.ts';

interface Sources extends Place {
  /** Null: without rows. */
  readonly sqlite: Engine | null;
}

export interface Snapshot {
  readonly origin: SavedOrigin;
  readonly db: Database | null;
}

/**
 * The newest snapshot, if it is one that this machine wrote and the journal still contains its last line; else null. Reads
 * it with other work in between: the files of a large store are a hundred megabytes.
 */
export async function loadSnapshot({ sqlite, ...place }: Sources): Promise<Snapshot | null> {
  for (const entry of savedEntries(place))
    try {
      const file = path.join(place.root, storeFolder, entry.name);
      const bytes = await readInTurns(place.fs, `${file}.json`, entry.stateHash);
      const origin = originOf(place, entry, bytes && (await stateInTurns(bytes)));
      const rows = sqlite && origin && (await readInTurns(place.fs, `${file}.sqlite`, entry.databaseHash));
      if (origin && (rows || !sqlite)) return { origin, db: sqlite && rows && openDatabase(sqlite, rows) };
    } catch {
      continue; // not readable as a state or a database: rebuilt from the journal
    }
  return null;
}

const pieceSize = 4 * 2 ** 20;

async function readInTurns(fs: FileSystem, file: string, expected: string): Promise<Buffer | null> {
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(fs.fstatSync(descriptor).size);
    const hash = createHash('sha256');
    for (let done = 0; done < bytes.length;) {
      const count = fs.readSync(descriptor, bytes, done, Math.min(pieceSize, bytes.length - done), done);
      if (count === 0) return null;
      hash.update(bytes.subarray(done, (done += count)));
      await nextTurn();
    }
    return hash.digest('hex') === expected ? bytes : null;
  } finally {
    closeQuietly(fs, descriptor);
  }
}

interface Target {
  readonly fs: FileSystem;
  readonly root: string;
  readonly newId: () => string;
  /** Name of an older snapshot that programs may still start from. */
  readonly kept: string | null;
}

/**
 * Writes a snapshot of a ledger and its index, and deletes older ones.
 * @param keys the keys its decisions were verified with
 * @returns which to trust
 */
export function writeSnapshot(
  { fs, root, newId, kept }: Target,
  ledger: Ledger,
  index: Pick<Database, 'export'>,
  keys: string | null,
): SnapshotEntry {
  const { position, head, headAt } = ledger;
  const folder = path.join(root, storeFolder);
  const name = `holdpoint-${String(position)}-${head.slice(0, 16)}`;
  const write = (ending: string, content: Uint8Array) => {
    const file = path.join(folder, name + ending);
    replaceFile(fs, file, content, `${file}.${newId()}.tmp`);
    return sha256(content);
  };
  const databaseHash = write('.sqlite', index.export());
  const stateHash = write('.json', formatState(ledger.state));
  copyForOthers(fs, path.join(folder, name), path.join(folder, indexFile), newId());
  removeOthers(fs, folder, name, kept);
  return { name, stateHash, databaseHash, position, head, headAt, ...(keys === null ? {} : { keys }) };
}

/** A copy of the database that any SQLite tool can open, and even change: no program reads it. */
const indexFile = 'index.sqlite';

/** Without it, nothing is missing but this file. */
function copyForOthers(fs: FileSystem, snapshot: string, file: string, id: string): void {
  const temporary = `${file}.${id}.tmp`;
  ignoreErrors(() => {
    try {
      fs.copyFileSync(`${snapshot}.sqlite`, temporary);
      fs.renameSync(temporary, file);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
  });
}

/** An unfinished snapshot this old was left by a crashed program. Milliseconds. */
const unfinishedMs = 60 * 60 * 1000;

/** Removes older snapshots, but not one that is still needed, and abandoned unfinished ones. */
function removeOthers(fs: FileSystem, folder: string, newest: string, kept: string | null): void {
  const changedAt = (name: string) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? NaN;
  const now = changedAt(`${newest}.json`);
  for (const other of fs.readdirSync(folder)) {
    const [, stem = '', temporary] = /^(.+)\.(?:json|sqlite)(\.[0-9a-f-]+\.tmp)?$/.exec(other) ?? [];
    if (!snapshotName.test(stem) && (temporary === undefined || stem !== 'index')) continue;
    const isOver = temporary === undefined ? stem !== newest && stem !== kept : now - changedAt(other) > unfinishedMs;
    if (isOver) fs.rmSync(path.join(folder, other), { force: true });
  }
}

/** Less is replayed sooner than a snapshot is loaded. Bytes. */
const leastWorth = 16 * 1024;

/**
 * How many bytes the journal must grow, since any program's snapshot, before a new one is worthwhile: a quarter of what
 * there was, because writing takes longer the larger the store is, but not without limit.
 * @param position the length of the journal
 */
export function worthSaving(position: number): number {
  return Math.min(256 * 1024, Math.max(leastWorth, position / 5));
}

/** Also null when the file cannot be read: then no snapshot is known. */
export function savedName(stateFile: StateFile, which: 'snapshot' | 'vouched' = 'snapshot'): string | null {
  try {
    return stateFile.read()?.[which]?.name ?? null;
  } catch {
    return null;
  }
}

/**
 * Journal offset covered by the newest snapshot.
 * @param unusable a snapshot that this program could not load
 */
export function savedTo(stateFile: StateFile, unusable: string | null): number {
  const last = stateFile.read()?.snapshot;
  return last && last.name !== unusable ? last.position : 0;
}
