/**
 * This machine's copy of a shared workspace's key ring, verified each time it is read. It also keeps the latest record
 * ever seen, so that a ring that lost records (and with them the removal of a key) is noticed.
 */
import { besideStateFile } from '../../store/journal/stateFile.ts';
import * as z from 'zod';
import { sha256Hex } from '../../core/kit/text.ts';
import { readOrNull } from '../../store/journal/files.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { hashOfRecord, RingError, verifyRing } from '../../trust/ringRecords.ts';
import type { RingAnchor, RingHead, VerifiedRing } from '../../trust/ringRecords.ts';
import { isJoined, readSharedFile, writeUserFile } from './sharedFile.ts';
import type { UserFiles } from './sharedFile.ts';

const most = 10_000;
const longest = 16_384;

const ringFile = z.strictObject({
  v: z.literal(1),
  workspace: z.uuid(),
  /** The latest record that was verified here; null if none. */
  seen: z.strictObject({ seq: z.int().nonnegative(), hash: sha256Hex }).nullable(),
  /** As the server has them, in order; not necessarily valid. */
  records: z.array(z.string().max(longest)).max(most),
});
type RingFile = z.infer<typeof ringFile>;

/** Null: no ring was read from the server yet. @throws Error when it cannot be read */
function load(fs: FileSystem, stateFile: string): RingFile | null {
  const file = besideStateFile(stateFile, 'ring');
  try {
    const bytes = readOrNull(fs, file);
    return bytes && ringFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new RingError(`its copy ${file} cannot be read`, { cause });
  }
}

/**
 * The keys that count in a shared workspace.
 * @param stateFile path of the store's state file
 * @throws RingError when they are not known; then no key counts
 */
export function readSharedRing(fs: FileSystem, stateFile: string, anchor: RingAnchor): VerifiedRing {
  const file = load(fs, stateFile);
  if (!file) throw new RingError('it was not read from the server yet');
  return verified(file, anchor);
}

function verified({ workspace, seen, records }: Omit<RingFile, 'v'>, anchor: RingAnchor): VerifiedRing {
  if (workspace !== anchor.workspace) throw new RingError('its copy is of another workspace');
  const bytes = records.map((record) => Buffer.from(record));
  if (!contains(bytes, seen)) throw new RingError('it lost records that this machine has seen');
  return verifyRing(bytes, anchor);
}

function contains(records: readonly Uint8Array[], seen: RingHead | null): boolean {
  const record = seen && records[seen.seq];
  return seen === null || (record !== undefined && record !== null && hashOfRecord(record) === seen.hash);
}

/** The team that a workspace is shared with. */
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
 * Copies the ring from the server. What is wrong is copied too, so that every program of this machine fails closed, and
 * goes on when the server has the right records again.
 * @param fetch all records that the server has, from the first
 * @throws RingError when the ring is wrong; whatever `fetch` throws
 */
export async function pullSharedRing(
  files: UserFiles,
  anchor: RingAnchor,
  fetch: () => Promise<readonly Uint8Array[]>,
): Promise<VerifiedRing> {
  const ours = () => {
    const file = load(files.fs, files.stateFile);
    return file?.workspace === anchor.workspace ? file : null;
  };
  // Before asking: the server's answer must contain it.
  const seenBefore = ours()?.seen ?? null;
  const bytes = await fetch();
  const records = bytes.map((record) => Buffer.from(record).toString('utf8'));
  if (records.length > most || records.some(({ length }) => length > longest))
    throw new RingError('the server has too many records, or too long ones');
  const now = ours();
  const isBehind = now !== null && records.every((record, index) => record === now.records[index]);
  const known = isBehind && contains(bytes, seenBefore) ? outcomeOf(now, anchor) : null;
  // The same, or another program has copied more meanwhile.
  if (known?.ring) return known.ring;
  const pulled = { workspace: anchor.workspace, seen: now?.seen ?? null, records };
  const { ring, error } = outcomeOf(pulled, anchor);
  writeUserFile(files, 'ring', { v: 1, ...pulled, seen: ring?.head ?? pulled.seen } satisfies RingFile);
  if (!ring) throw error;
  return ring;
}

type Outcome =
  { readonly ring: VerifiedRing; readonly error: null } | { readonly ring: null; readonly error: RingError };

function outcomeOf(file: Omit<RingFile, 'v'>, anchor: RingAnchor): Outcome {
  try {
    return { ring: verified(file, anchor), error: null };
  } catch (error) {
    if (error instanceof RingError) return { ring: null, error };
    throw error;
  }
}
