/**
 * What this user knows of a workspace that a team shares, with the root keys that a human compared when joining. Kept
 * next to the anchor, outside the workspace, where no clone brings one along.
 */
import * as z from 'zod';
import { besideStateFile, isJoined } from '../../store/journal/stateFile.ts';
import { instant, sha256Hex } from '../../core/kit/fields.ts';
import { isPersonName } from '../../core/kit/persons.ts';
import type { DeepReadonly } from '../../core/records/parts.ts';
import { ringRoots, sharedName } from '../../core/records/decision.ts';
import { putFile, readOrNull, type FileSystem } from '../../store/journal/files.ts';
import {
  hashOfRecord,
  readRing,
  RingError,
  verifyRing,
  type IgnoredRow,
  type ReadRing,
  type RingAnchor,
  type RingHead,
  type VerifiedRing,
} from '../../trust/ringRecords.ts';

const sharedFile = z.strictObject({
  v: z.literal(1),
  /** Its id, and its name on the server. */
  workspace: z.uuid(),
  name: sharedName,
  roots: ringRoots,
  joinedAt: instant,
  /** Whose agents' login it is: their ids begin with it. Absent: the server accepts no agent from here. */
  person: z.string().refine(isPersonName).optional(),
});
export type SharedFile = DeepReadonly<z.infer<typeof sharedFile>>;

/**
 * Null: this user has not joined a shared workspace here.
 * @param stateFile path of the store's state file
 * @throws Error when the file exists but cannot be read: then nothing is known about which keys are trusted
 */
export function readSharedFile(fs: FileSystem, stateFile: string): SharedFile | null {
  const file = besideStateFile(stateFile, 'shared');
  try {
    const bytes = readOrNull(fs, file);
    if (!bytes) return null;
    return sharedFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new Error(`${file}, which says where this workspace is shared, cannot be read: join the team again`, {
      cause,
    });
  }
}

/** What it takes to write files next to a state file. */
export interface UserFiles {
  readonly fs: FileSystem;
  readonly stateFile: string;
  readonly newId: () => string;
}

/** @throws Error for malformed content: what is written can be read */
export function writeSharedFile(files: UserFiles, content: SharedFile): void {
  writeUserFile(files, 'shared', sharedFile.parse(content));
}

/** After the journal moved back to this machine. */
export function removeSharedFiles({ fs, stateFile }: UserFiles): void {
  // The ring first: a workspace that is no longer joined has none.
  for (const extension of ['ring', 'shared'] as const)
    fs.rmSync(besideStateFile(stateFile, extension), { force: true });
}

export function writeUserFile(
  { fs, stateFile, newId }: UserFiles,
  extension: 'shared' | 'ring',
  content: object,
): void {
  const file = besideStateFile(stateFile, extension);
  putFile({ fs, newId }, file, `${JSON.stringify(content)}\n`);
}

/** Of rows on the server, which takes 5,000. An administrator of the database can add more. */
const most = 20_000;
const mostNamed = 50;

const ringFile = z.strictObject({
  v: z.literal(1),
  workspace: z.uuid(),
  /** The latest record that was verified here. */
  seen: z.strictObject({ seq: z.int().nonnegative(), hash: sha256Hex }),
  /** The chain up to that record. */
  records: z.array(z.string()),
  /** How many rows the server had, ignored ones included. */
  rows: z.int().nonnegative(),
  /** The first ones. */
  ignored: z.array(z.strictObject({ row: z.int().nonnegative(), why: z.string() })),
  /** Why the server's ring could not be used when it was last read; null if it could. */
  trouble: z.string().nullable(),
});
type RingFile = z.infer<typeof ringFile>;

/** The ring as this machine last copied it. */
export interface SharedRing extends VerifiedRing {
  readonly rows: number;
  /** Rows without effect that the server had: the first ones. */
  readonly ignored: readonly IgnoredRow[];
  /** The chain, as its bytes were signed. */
  readonly records: readonly Uint8Array[];
}

/** Null: no ring was read from the server yet. @throws Error when it cannot be read */
function load(fs: FileSystem, stateFile: string): RingFile | null {
  const file = besideStateFile(stateFile, 'ring');
  try {
    const bytes = readOrNull(fs, file);
    if (!bytes) return null;
    return ringFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new RingError(`its copy ${file} cannot be read`, { cause });
  }
}

/**
 * The keys that are trusted in a shared workspace.
 * @param stateFile path of the store's state file
 * @throws RingError when they are not known; then no key is trusted
 */
export function readSharedRing(fs: FileSystem, stateFile: string, anchor: RingAnchor): SharedRing {
  const file = load(fs, stateFile);
  if (!file) throw new RingError('it was not read from the server yet');
  if (file.trouble !== null) throw new RingError(file.trouble);
  return verified(file, anchor);
}

function verified({ workspace, seen, records, rows, ignored }: RingFile, anchor: RingAnchor): SharedRing {
  if (workspace !== anchor.workspace) throw new RingError('its copy is of another workspace');
  const bytes = records.map((record) => Buffer.from(record));
  if (!contains(bytes, seen)) throw new RingError('its copy lost records');
  return { ...verifyRing(bytes, anchor), rows, ignored, records: bytes };
}

function contains(records: readonly Uint8Array[], { seq, hash }: RingHead): boolean {
  const record = records[seq];
  return record !== undefined && hashOfRecord(record) === hash;
}

/** Rows of the team's ring that have no effect; none without a team, or while the ring cannot be used. */
export function ignoredRows(fs: FileSystem, stateFile: string): readonly IgnoredRow[] {
  try {
    const shared = readSharedFile(fs, stateFile);
    return shared ? readSharedRing(fs, stateFile, shared).ignored : [];
  } catch {
    return [];
  }
}

export interface Team {
  /** Names of the humans who can add and remove keys; none while the ring is not usable. */
  readonly roots: readonly string[];
}

/** Null: the workspace is not shared. */
export function teamOf(fs: FileSystem, stateFile: string): Team | null {
  if (!isJoined(fs, stateFile)) return null;
  try {
    const shared = readSharedFile(fs, stateFile);
    return shared && { roots: rootNames(readSharedRing(fs, stateFile, shared)) };
  } catch {
    return { roots: [] };
  }
}

export function rootNames({ pins, roots }: Pick<VerifiedRing, 'pins' | 'roots'>): readonly string[] {
  return pins.filter(({ keyid }) => roots.includes(keyid)).map(({ name }) => name);
}

/**
 * Copies the ring from the server. The copy never goes back: while the server's ring is not a continuation of what was seen
 * here, the copy stays and is marked, so that every program of this machine fails closed until the server has it again.
 * @param fetch all rows that the server has, from the first
 * @throws RingError when the server's ring cannot be used; whatever `fetch` throws
 */
export async function pullSharedRing(
  files: UserFiles,
  anchor: RingAnchor,
  fetch: () => Promise<readonly Uint8Array[]>,
): Promise<SharedRing> {
  const ours = () => {
    const file = load(files.fs, files.stateFile);
    return file?.workspace === anchor.workspace ? file : null;
  };
  // Before asking: the server's answer must contain it.
  const before = ours();
  const rows = await fetch();
  const now = ours();
  const write = (file: RingFile) => {
    if (JSON.stringify(file) !== JSON.stringify(now)) writeUserFile(files, 'ring', file);
  };
  const answer = answerOf(rows, anchor, before);
  if (answer instanceof RingError) {
    if (now) write({ ...now, trouble: answer.message });
    throw answer;
  }
  // Another program has copied more in the meantime.
  if (now?.trouble === null && !contains(answer.records, now.seen)) return verified(now, anchor);
  const { workspace } = anchor;
  const records = answer.records.map((record) => Buffer.from(record).toString('utf8'));
  const ignored = answer.ignored.slice(0, mostNamed);
  const file: RingFile = {
    v: 1,
    workspace,
    seen: answer.ring.head,
    records,
    rows: rows.length,
    ignored,
    trouble: null,
  };
  write(file);
  return verified(file, anchor);
}

function answerOf(rows: readonly Uint8Array[], anchor: RingAnchor, before: RingFile | null): ReadRing | RingError {
  if (rows.length > most) return new RingError(`the server has more than ${String(most)} rows of it`);
  try {
    const answer = readRing(rows, anchor);
    if (before && !contains(answer.records, before.seen))
      return new RingError('the server lost records of it that this machine has seen');
    return answer;
  } catch (error) {
    if (error instanceof RingError) return error;
    throw error;
  }
}
