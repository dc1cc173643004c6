/**
 * The fold's state as a file beside the snapshot, so that the gate and hooks need not fold the whole journal each time.
 * A cache like the snapshot: its hash is in the user-level file, and without a match the journal is read from its start.
 */
import path from 'node:path';
import type { QuestionRaised } from '../core/records.ts';
import { emptyState } from '../core/state.ts';
import type { Question, State } from '../core/state.ts';
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
    const state = parseState(bytes);
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

/**
 * Lines of JSON: the state; what only a further record is checked with; and each question as raised, in their order.
 * So a gate reads one line and leaves all texts unread. Maps and sets stand only at the top of the state: they become
 * lists with a mark, and nowhere else is looked.
 */
export function formatState({ pendingKeys, latestByText, questions, ...state }: State): string {
  const kept = new Map([...questions].map(([id, { raised: _, ...question }]) => [id, question]));
  return [
    { version: projectionVersion, state: marked({ ...state, questions: kept }) },
    marked({ pendingKeys, latestByText }),
    ...[...questions.values()].map(({ raised }) => raised),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

function marked(members: object): object {
  const all = Object.entries(members).map(([name, value]: [string, unknown]) => {
    if (value instanceof Map) return [name, { map: [...value] }];
    if (value instanceof Set) return [name, { set: [...value] }];
    return [name, { value }];
  });
  return Object.fromEntries(all) as object;
}

type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;

/** Null for a state of another version of the program. */
function parseState(bytes: Buffer): State | null {
  const end = bytes.indexOf('\n');
  const { version, state } = JSON.parse(bytes.toString('utf8', 0, end)) as { version: number; state: Saved };
  if (version !== projectionVersion) return null;
  const rest = once(() => bytes.toString('utf8', end + 1).split('\n'));
  const keys = once(() => unmarked(JSON.parse(rest()[0] ?? '') as Saved));
  const members = unmarked(state);
  const places = once(() => new Map([...members.questions.keys()].map((id, index) => [id, index + 1])));
  const raised = new Map<string, QuestionRaised>();
  const texts: PropertyDescriptor & ThisType<Question> = {
    enumerable: true,
    get() {
      const known = raised.get(this.id) ?? (JSON.parse(rest()[places().get(this.id) ?? 0] ?? '') as QuestionRaised);
      raised.set(this.id, known);
      return known;
    },
  };
  for (const question of members.questions.values()) Object.defineProperty(question, 'raised', texts);
  return {
    ...emptyState(),
    ...members,
    get pendingKeys() {
      return keys().pendingKeys;
    },
    get latestByText() {
      return keys().latestByText;
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

function unmarked(saved: Saved): State {
  const members = Object.entries(saved).map(([name, { map, set, value }]) => [
    name,
    map ? new Map(map) : set ? new Set(set) : value,
  ]);
  return Object.fromEntries(members) as State;
}
