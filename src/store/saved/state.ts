/**
 * The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
 * user-level file, and where it does not match, the journal is read from its start.
 */
import path from 'node:path';
import { copiesOf } from '../../core/state/facts.ts';
import type { Trust } from '../../core/records/decision.ts';
import { emptyState, isCurrent, onlyWhole, type Question, type State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { replaceQuickly, type FileSystem } from '../journal/files.ts';
import type { Ledger, Origin } from '../journal/ledger.ts';
import { readFrame } from '../journal/frame.ts';
import { openJournal } from '../journal/openJournal.ts';
import { quietly } from '../journal/problem.ts';
import { journalPath, storeFolder } from '../journal/segments.ts';
import type { CurrentEntry, SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { stateVersion } from './version.ts';

/** `holdpoint-<position>-<head>.sqlite` and `.json`. */
export const snapshotName = /^holdpoint-\d+-[0-9a-f]{16}$/;

interface Place {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  readonly trust: Trust;
}

export interface SavedOrigin extends Origin {
  readonly entry: SnapshotEntry;
}

/** The state to start from, if one was saved for this very journal under the current keys; else null. */
export function loadState(source: Place): SavedOrigin | null {
  try {
    const { snapshot = null, vouched = null } = source.stateFile.read() ?? {};
    return loadEntry(source, snapshot) ?? loadEntry(source, vouched);
  } catch {
    return null;
  }
}

function loadEntry(place: Place, entry: SnapshotEntry | null): SavedOrigin | null {
  if (!entry || !snapshotName.test(entry.name)) return null;
  const origin = loadFile(place, `${entry.name}.json`, entry);
  return origin && { ...origin, entry };
}

/** The state in a file, if it is what was written under the current keys, and the journal still has its last line. */
function loadFile(
  { fs, root, trust }: Place,
  name: string,
  entry: CurrentEntry & Partial<SnapshotEntry>,
): Origin | null {
  if (entry.keys === undefined || entry.keys !== trust.keys()) return null;
  if (!trust.accepts({ databaseHash: '', ...entry })) return null;
  try {
    const bytes = fs.readFileSync(path.join(root, storeFolder, name));
    const state = sha256(bytes) === entry.stateHash ? stateIn(bytes) : null;
    const { position, head, headAt } = entry;
    return state && lineStands(fs, root, entry, state.seals) ? { state, position, head, headAt } : null;
  } catch {
    return null; // not readable as a state: the journal is folded
  }
}

/** In the store's folder. Programs that commit write it, as long as the journal is where they left it. */
export const currentFile = 'state.json';

/** What gates and hooks answer from, if it was saved at the end of the journal that the user-level file knows. */
export function loadCurrent(place: Place): Origin | null {
  try {
    const anchor = place.stateFile.read();
    const entry = anchor?.current;
    if (entry?.position !== anchor?.position || entry?.head !== anchor?.head) return null;
    const origin = entry ? loadFile(place, currentFile, entry) : null;
    return origin && { ...origin, isPart: true };
  } catch {
    return null;
  }
}

type Target = Omit<Place, 'trust'> & { readonly newId: () => string };

/**
 * Moves the anchor to the end of the ledger, with what gates and hooks answer from there.
 * @param keys the keys that decisions were verified with
 * @returns false where there is no workspace yet
 * @throws when the disk refuses
 */
export function advanceTo(
  target: Target,
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
  if (keys !== null && !problem) quietly(() => (current = writeCurrent(target, ledger, keys)));
  const { root, stateFile } = target;
  stateFile.advance({ v: 1, root, workspace: state.workspace.id, epoch, position, head, snapshot, current });
  return true;
}

function writeCurrent(
  { fs, root, newId }: Target,
  { state, position, head, headAt }: Ledger,
  keys: string,
): CurrentEntry {
  const bytes = formatCurrent(state);
  const file = path.join(root, storeFolder, currentFile);
  replaceQuickly(fs, file, bytes, `${file}.${newId()}.tmp`);
  return { stateHash: sha256(bytes), position, head, headAt, keys };
}

/** Whether the journal contains, at the state's position, its last line, and all files before it. */
function lineStands(fs: FileSystem, root: string, entry: CurrentEntry, ends: readonly number[]): boolean {
  const journal = openJournal(fs, journalPath(root), ends, entry.position);
  if (!journal) return false;
  try {
    const size = journal.size();
    if (typeof size === 'string' || size < entry.position) return false;
    const bytes = journal.read(entry.headAt, Math.min(size, entry.position + 1));
    // Its hash is known, and covers that it belongs at this offset.
    const last = readFrame(bytes, entry.headAt, entry.headAt);
    return last.kind === 'framed' && last.hash === entry.head && last.next === entry.position;
  } finally {
    journal.close();
  }
}

/** The members of a state; maps and sets occur only at the top level. */
type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;
/** A question without what follows from how it was raised. */
type SavedQuestion = Omit<Question, keyof ReturnType<typeof copiesOf>>;

interface SavedState {
  readonly version: string;
  readonly state: Saved;
  readonly questions: readonly SavedQuestion[];
}

/** All of it, as JSON. */
export function formatState(state: State): Buffer {
  return Buffer.from(JSON.stringify(savedOf(state, [])));
}

/** What gates and hooks answer from (`CurrentState`), as JSON. */
export function formatCurrent(state: State): Buffer {
  const questions = [...state.questions].filter(([, question]) => isCurrent(state, question));
  return Buffer.from(JSON.stringify(savedOf({ ...state, questions: new Map(questions) }, onlyWhole)));
}

function savedOf({ questions, ...members }: State, without: readonly string[]): SavedState {
  const entries = Object.entries(members).filter(([name]) => !without.includes(name));
  return { version: stateVersion(), state: marked(entries), questions: [...questions.values()].map(packed) };
}

function packed({ raised, ...question }: Question): SavedQuestion {
  const copies = new Set<string>(Object.keys(copiesOf(raised)));
  const own = Object.entries(question).filter(([name]) => !copies.has(name));
  return { raised, ...Object.fromEntries(own) } as SavedQuestion;
}

function unpacked(question: SavedQuestion): Question {
  return { ...copiesOf(question.raised), ...question };
}

function marked(entries: readonly (readonly [string, unknown])[]): Saved {
  const members = entries.map(([name, value]) => {
    if (value instanceof Map) return [name, { map: [...(value as Map<unknown, unknown>)] }];
    return [name, value instanceof Set ? { set: [...(value as Set<unknown>)] } : { value }];
  });
  return Object.fromEntries(members) as Saved;
}

function unmarked(saved: Saved): Partial<State> {
  const members = Object.entries(saved).map(([name, { map, set, value }]) => [
    name,
    map ? new Map(map) : set ? new Set(set) : value,
  ]);
  return Object.fromEntries(members) as Partial<State>;
}

/** Null for a state written by another version of the program. @throws Error when it is no saved state */
export function stateIn(bytes: Buffer): State | null {
  const { version, state, questions } = JSON.parse(bytes.toString('utf8')) as SavedState;
  if (version !== stateVersion()) return null;
  const byId = questions.map((saved) => unpacked(saved)).map((question) => [question.id, question] as const);
  return { ...emptyState(), ...unmarked(state), questions: new Map(byId) };
}
