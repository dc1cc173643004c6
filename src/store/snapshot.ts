/** Snapshots: the projection and the fold's state as one SQLite file. A cache only; one that is not trusted is rebuilt. */
import path from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import { emptyState } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { sha256 } from '../trust/canonical.ts';
import { replaceFile } from './files.ts';
import type { FileSystem } from './files.ts';
import { journalPath, storeFolder } from './journalFile.ts';
import type { Ledger, Origin } from './ledger.ts';
import { readSegment } from './line.ts';
import { openDatabase } from './sqlite.ts';
import type { Database } from './sqlite.ts';
import type { SnapshotEntry, StateFile } from './stateFile.ts';
import { projectionVersion } from './tables.ts';

const namePattern = /^holdpoint-\d+-[0-9a-f]{16}\.sqlite$/;

/** The newest snapshot if its bytes are those this machine wrote and the journal still has its last line; else null. */
export function loadSnapshot(
  fs: FileSystem,
  root: string,
  sqlite: SqlJsStatic,
  stateFile: StateFile,
): { db: Database; origin: Origin } | null {
  let db: Database | null = null;
  try {
    const entry = stateFile.read()?.snapshot;
    if (!entry || !namePattern.test(entry.file)) return null;
    const bytes = fs.readFileSync(path.join(root, storeFolder, entry.file));
    if (sha256(bytes) !== entry.sha256 || !lineStands(fs, root, entry)) return null;
    db = openDatabase(sqlite, bytes);
    const state = readState(db);
    if (!state) {
      db.close();
      return null;
    }
    return { db, origin: { state, position: entry.position, head: entry.head, headAt: entry.headAt } };
  } catch {
    db?.close();
    return null;
  }
}

/** Whether the journal has, at the snapshot's position, the line the snapshot ends with. */
function lineStands(fs: FileSystem, root: string, entry: SnapshotEntry): boolean {
  const file = fs.openSync(journalPath(root), 'r');
  try {
    const size = fs.fstatSync(file).size;
    if (size < entry.position) return false;
    const bytes = Buffer.alloc(Math.min(size, entry.position + 1) - entry.headAt);
    fs.readSync(file, bytes, 0, bytes.length, entry.headAt);
    const segment = readSegment(bytes, entry.headAt, entry.headAt);
    return (
      segment.kind === 'line' &&
      segment.hash === entry.head &&
      segment.next === entry.position &&
      segment.body.at === entry.headAt
    );
  } finally {
    fs.closeSync(file);
  }
}

/** Writes a snapshot of a ledger and its database, drops older ones, and says what to trust. */
export function writeSnapshot(
  fs: FileSystem,
  root: string,
  ledger: Ledger,
  db: Database,
  newId: () => string,
): SnapshotEntry {
  const { position, head, headAt } = ledger;
  db.run('CREATE TABLE IF NOT EXISTS fold_state (version INTEGER NOT NULL, state TEXT NOT NULL)');
  db.run('DELETE FROM fold_state');
  db.run('INSERT INTO fold_state VALUES (?, ?)', [projectionVersion, serialize(ledger.state)]);
  const bytes = db.export();
  const folder = path.join(root, storeFolder);
  const name = `holdpoint-${String(position)}-${head.slice(0, 16)}.sqlite`;
  replaceFile(fs, path.join(folder, name), bytes, path.join(folder, `${name}.${newId()}.tmp`));
  for (const other of fs.readdirSync(folder))
    if (namePattern.test(other) && other !== name) fs.rmSync(path.join(folder, other), { force: true });
  return { file: name, sha256: sha256(bytes), position, head, headAt };
}

type Plain = Readonly<Record<string, unknown>>;

function serialize(state: State): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (value instanceof Set) return { $set: [...value] };
    return value;
  });
}

function readState(db: Database): State | null {
  const row = db.value('SELECT state FROM fold_state WHERE version = ?', [projectionVersion]);
  if (typeof row !== 'string') return null;
  const state = JSON.parse(row, (_key, value: unknown) => {
    const plain = value as Plain | null;
    if (typeof plain === 'object' && plain !== null) {
      if (Array.isArray(plain['$map'])) return new Map(plain['$map'] as [unknown, unknown][]);
      if (Array.isArray(plain['$set'])) return new Set(plain['$set']);
    }
    return value;
  }) as State;
  return { ...emptyState(), ...state };
}
