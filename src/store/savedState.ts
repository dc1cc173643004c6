/**
 * The fold's state as a file beside the snapshot, so that the gate and hooks need not fold the whole journal each time.
 * A cache like the snapshot: its hash is in the user-level file, and without a match the journal is read from its start.
 */
import path from 'node:path';
import { emptyState } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { sha256 } from '../trust/canonical.ts';
import type { FileSystem } from './files.ts';
import { journalPath, storeFolder } from './journalFile.ts';
import type { Origin } from './ledger.ts';
import { readSegment } from './line.ts';
import type { SnapshotEntry, StateFile } from './stateFile.ts';
import { projectionVersion } from './tables.ts';

/** `holdpoint-<position>-<head>.sqlite` and `.json`. */
export const snapshotName = /^holdpoint-\d+-[0-9a-f]{16}$/;

/** Where to begin reading, if there is a saved state of this very journal; else null. */
export function loadState(
  fs: FileSystem,
  root: string,
  stateFile: StateFile,
): (Origin & { readonly entry: SnapshotEntry }) | null {
  try {
    const entry = stateFile.read()?.snapshot;
    if (!entry || !snapshotName.test(entry.name)) return null;
    const bytes = fs.readFileSync(path.join(root, storeFolder, `${entry.name}.json`));
    if (sha256(bytes) !== entry.stateHash || !lineStands(fs, root, entry)) return null;
    const state = parseState(bytes.toString('utf8'));
    return state && { state, position: entry.position, head: entry.head, headAt: entry.headAt, entry };
  } catch {
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

/** Maps and sets stand only at the top of the state: there they become lists with a mark, and nowhere else is looked. */
export function formatState(state: State): string {
  const members = Object.entries(state).map(([name, value]: [string, unknown]) => {
    if (value instanceof Map) return [name, { map: [...value] }];
    if (value instanceof Set) return [name, { set: [...value] }];
    return [name, { value }];
  });
  return JSON.stringify({ version: projectionVersion, state: Object.fromEntries(members) as object });
}

type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;

/** Null for a state of another version of the program. */
function parseState(text: string): State | null {
  const { version, state } = JSON.parse(text) as { version: number; state: Saved };
  if (version !== projectionVersion) return null;
  const members = Object.entries(state).map(([name, { map, set, value }]) => [
    name,
    map ? new Map(map) : set ? new Set(set) : value,
  ]);
  return { ...emptyState(), ...(Object.fromEntries(members) as State) };
}
