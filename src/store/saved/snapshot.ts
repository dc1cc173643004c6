/**
 * Snapshots: the projection as a SQLite file, with the fold's state next to it. Only caches; an untrusted one is
 * rebuilt.
 */

import { createHash } from 'node:crypto';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trust } from '../../core/records/decision.ts';
import { copiesOf, isCurrent, onlyWhole, type Question, type State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { closeQuietly, type FileSystem, replaceFile, replaceQuickly, storeFolder } from '../journal/files.ts';
import type { Ledger, Origin } from '../journal/ledger.ts';
import { ignoreErrors } from '../journal/problem.ts';
import type { SnapshotEntry, StateFile, CurrentEntry } from '../journal/stateFile.ts';
import { type Database, type Engine, openDatabase } from '../rows/sqlite.ts';
import {
  bytesAfter,
  currentFile,
  type Part,
  type SavedQuestion,
  stateInFile,
  stateInTurns,
  stateVersion,
} from './current.ts';

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

// The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
// user-level file, and where it does not match, the journal is read from its start.

/** `holdpoint-<position>-<head>.sqlite` and `.json`. */
export const snapshotName = /^holdpoint-\d+-[0-9a-f]{16}$/;

export interface Place {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  readonly trust: Trust;
}

export interface SavedOrigin extends Origin {
  readonly entry: SnapshotEntry;
}

/** The state to start from, if one was saved for this very journal under the current keys; else null. */
export function loadState(place: Place): SavedOrigin | null {
  for (const entry of savedEntries(place))
    try {
      const origin = originOf(place, entry, stateInFile(place, `${entry.name}.json`, entry));
      if (origin) return origin;
    } catch {
      continue; // not readable as a state: the journal is folded
    }
  return null;
}

/** The snapshots that may be used, the newest first. */
export function savedEntries({ stateFile, trust }: Place): SnapshotEntry[] {
  try {
    const { snapshot = null, vouched = null } = stateFile.read() ?? {};
    const keys = trust.keys();
    return [snapshot, vouched]
      .flatMap((entry) => entry ?? [])
      .filter((entry) => snapshotName.test(entry.name) && keys !== null && entry.keys === keys && trust.accepts(entry));
  } catch {
    return [];
  }
}

/** Null where the journal no longer has the last line of the state. */
export function originOf(place: Place, entry: SnapshotEntry, state: State | null): SavedOrigin | null {
  const { position, head, headAt } = entry;
  return state && bytesAfter(place, entry) !== null ? { state, position, head, headAt, entry } : null;
}

type StateTarget = Omit<Place, 'trust'> & { readonly newId: () => string };

/**
 * Moves the anchor to the end of the ledger, with what gates and hooks answer from there.
 * @param keys the keys that decisions were verified with
 * @returns false where there is no workspace yet
 * @throws when the disk refuses
 */
export function advanceTo(
  target: StateTarget,
  ledger: Ledger,
  keys: string | null,
  snapshot: SnapshotEntry | null = null,
): boolean {
  const { position, head, epoch, state, problem } = ledger;
  if (!state.workspace) return false;
  // What is saved must not contain lines that a power loss could still remove.
  ledger.flush();
  let current: CurrentEntry | null = null;
  // Only a cache: without it, gates read the snapshot and what came after it.
  if (keys !== null && !problem) ignoreErrors(() => (current = writeCurrent(target, ledger, keys)));
  const { root, stateFile } = target;
  stateFile.advance({ v: 1, root, workspace: state.workspace.id, epoch, position, head, snapshot, current });
  return true;
}

function writeCurrent(
  { fs, root, newId }: StateTarget,
  { state, position, head, headAt }: Ledger,
  keys: string,
): CurrentEntry {
  const bytes = formatCurrent(state);
  const file = path.join(root, storeFolder, currentFile);
  replaceQuickly(fs, file, bytes, `${file}.${newId()}.tmp`);
  return { stateHash: sha256(bytes), position, head, headAt, keys };
}

const partSize = 500;

/** All of it: the version and the parts, each a line of JSON. */
export function formatState(state: State): Buffer {
  return linesOf(state, []);
}

/** What gates and hooks answer from (`CurrentState`), in the same form, and so that they parse as little as they need. */
export function formatCurrent(state: State): Buffer {
  const current = [...state.questions].filter(([, question]) => isCurrent(state, question));
  const questions = new Map(current.map(([id, question]) => [id, { ...question, raised: null }]));
  const raised = current.flatMap(([id, question]) => (question.raised ? [[id, question.raised] as const] : []));
  return linesOf(
    { ...state, questions },
    [...onlyWhole, 'work'],
    [...laterPart('work', [...state.work]), ...laterPart('questions', raised)],
  );
}

function linesOf(state: State, without: readonly string[], more: readonly unknown[] = []): Buffer {
  const parts = (Object.entries(state) as [keyof State, unknown][])
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, value]) => partsOf(name, value));
  return Buffer.from([stateVersion(), ...parts, ...more].map((one) => JSON.stringify(one)).join('\n'));
}

/** A part and the lines of its values. */
function laterPart(name: keyof State, entries: readonly (readonly [string, unknown])[]): unknown[] {
  return [{ name, keys: entries.map(([key]) => key) } satisfies Part, ...entries.map(([, value]) => value)];
}

function partsOf(name: keyof State, value: unknown): Part[] {
  if (value instanceof Map) {
    const saved = [...value].map(
      ([key, one]: [unknown, unknown]) => [key, name === 'questions' ? packQuestion(one as Question) : one] as const,
    );
    return pieces(saved).map((map) => ({ name, map }));
  }
  return value instanceof Set ? pieces([...(value as Set<unknown>)]).map((set) => ({ name, set })) : [{ name, value }];
}

function pieces<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / partSize) }, (_, at) =>
    all.slice(at * partSize, (at + 1) * partSize),
  );
}

function packQuestion(question: Question): SavedQuestion {
  const { raised } = question;
  const copies = new Set<string>(raised ? Object.keys(copiesOf(raised)) : []);
  const own = Object.entries(question as object).filter(
    ([name, value]) => !copies.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(own);
}
