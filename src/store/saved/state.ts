/**
 * The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
 * user-level file, and where it does not match, the journal is read from its start.
 */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { copiesOf } from '../../core/state/facts.ts';
import type { Trust } from '../../core/records/decision.ts';
import { emptyState, isCurrent, onlyWhole, type Question, type State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { replaceQuickly, type FileSystem } from '../journal/files.ts';
import type { Ledger, Origin } from '../journal/ledger.ts';
import { readFrame } from '../journal/line.ts';
import { openJournal } from '../journal/openJournal.ts';
import { quietly } from '../journal/problem.ts';
import { journalPath, storeFolder } from '../journal/segments.ts';
import type { CurrentEntry, SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { stateVersion } from './version.ts';

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
  for (const { entry, file } of savedEntries(place)) {
    const origin = loadFile(place, `${file}.json`, entry);
    if (origin) return { ...origin, entry };
  }
  return null;
}

/** The snapshots that may be used, the newest first, and their files without an ending. */
export function savedEntries({ root, stateFile, trust }: Place): { entry: SnapshotEntry; file: string }[] {
  try {
    const { snapshot = null, vouched = null } = stateFile.read() ?? {};
    return [snapshot, vouched]
      .flatMap((entry) => entry ?? [])
      .filter((entry) => snapshotName.test(entry.name) && isTrusted(trust, entry))
      .map((entry) => ({ entry, file: path.join(root, storeFolder, entry.name) }));
  } catch {
    return [];
  }
}

/** The state in a file, if it is what was written under the current keys, and the journal still has its last line. */
function loadFile(place: Place, file: string, entry: CurrentEntry & Partial<SnapshotEntry>): Origin | null {
  try {
    const bytes = place.fs.readFileSync(file);
    const state = sha256(bytes) === entry.stateHash ? stateIn(bytes) : null;
    return state && originOf(place, entry, state);
  } catch {
    return null; // not readable as a state: the journal is folded
  }
}

function isTrusted(trust: Trust, entry: CurrentEntry & Partial<SnapshotEntry>): boolean {
  return entry.keys !== undefined && entry.keys === trust.keys() && trust.accepts({ databaseHash: '', ...entry });
}

/** Null where the journal no longer has the last line of a state. */
export function originOf({ fs, root }: Pick<Place, 'fs' | 'root'>, entry: CurrentEntry, state: State): Origin | null {
  const { position, head, headAt } = entry;
  return lineStands(fs, root, entry, state.seals) ? { state, position, head, headAt } : null;
}

/** In the store's folder. Programs that commit write it, as long as the journal is where they left it. */
export const currentFile = 'state.json';

/** What gates and hooks answer from, if it was saved at the end of the journal that the user-level file knows. */
export function loadCurrent(place: Place): Origin | null {
  try {
    const anchor = place.stateFile.read();
    const entry = anchor?.current;
    if (entry?.position !== anchor?.position || entry?.head !== anchor?.head) return null;
    if (!entry || !isTrusted(place.trust, entry)) return null;
    const origin = loadFile(place, path.join(place.root, storeFolder, currentFile), entry);
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

/** A question without what is usual, or follows from how it was raised. */
type SavedQuestion = Partial<Question>;

/** Some entries of one member of the state, or all of it; maps and sets occur only at the top level. */
interface Part {
  readonly name: keyof State;
  readonly map?: readonly (readonly [unknown, unknown])[];
  readonly set?: readonly unknown[];
  readonly value?: unknown;
}

/** Entries in one part. */
const partSize = 500;

/** All of it: the version and the parts, each a line of JSON. */
export function formatState(state: State): Buffer {
  return linesOf(state, []);
}

/** What gates and hooks answer from (`CurrentState`), in the same form. */
export function formatCurrent(state: State): Buffer {
  const questions = [...state.questions].filter(([, question]) => isCurrent(state, question));
  return linesOf({ ...state, questions: new Map(questions) }, onlyWhole);
}

function linesOf(state: State, without: readonly string[]): Buffer {
  const parts = (Object.entries(state) as [keyof State, unknown][])
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, value]) => partsOf(name, value));
  return Buffer.from([stateVersion(), ...parts].map((one) => JSON.stringify(one)).join('\n'));
}

function partsOf(name: keyof State, value: unknown): Part[] {
  if (value instanceof Map) {
    const saved = [...value].map(
      ([key, one]: [unknown, unknown]) => [key, name === 'questions' ? packed(one as Question) : one] as const,
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

/** What most questions have: it is left out. */
const usual = {
  ...{ raised: null, line: null, work: null, alsoWork: [], holds: [], addedHolds: [], widened: null, resolution: null },
  ...{ revoked: null, lifted: null, refusedHolds: [], askBacks: [], parked: null },
} satisfies Partial<Question>;

function packed(question: Question): SavedQuestion {
  const { raised } = question;
  const copies = new Set<string>(raised ? Object.keys(copiesOf(raised)) : []);
  const own = Object.entries(question as object).filter(
    ([name, value]) => !copies.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(own) as unknown as SavedQuestion;
}

function unpacked(question: SavedQuestion): Question {
  return { ...usual, ...(question.raised ? copiesOf(question.raised) : {}), ...question } as Question;
}

/** Null for a state written by another version of the program. @throws Error when it is no saved state */
export function stateIn(bytes: Buffer): State | null {
  const state = startOf(bytes);
  if (state) for (const part of partsIn(bytes)) add(state, part);
  return state;
}

/** The same, with other work in between: a large state takes a tenth of a second. */
export async function stateInTurns(bytes: Buffer): Promise<State | null> {
  const state = startOf(bytes);
  if (state)
    for (const part of partsIn(bytes)) {
      add(state, part);
      await nextTurn();
    }
  return state;
}

function startOf(bytes: Buffer): State | null {
  const version = Buffer.from(`${JSON.stringify(stateVersion())}\n`);
  return bytes.subarray(0, version.length).equals(version) ? emptyState() : null;
}

function* partsIn(bytes: Buffer): Generator<Part> {
  for (let end = bytes.indexOf('\n'); end < bytes.length;) {
    const from = end + 1;
    const next = bytes.indexOf('\n', from);
    end = next < 0 ? bytes.length : next;
    yield JSON.parse(bytes.toString('utf8', from, end)) as Part;
  }
}

function add(state: State, { name, map, set, value }: Part): void {
  const member: unknown = state[name];
  if (map && member instanceof Map)
    for (const [key, one] of map) member.set(key, name === 'questions' ? unpacked(one as SavedQuestion) : one);
  else if (set && member instanceof Set) for (const one of set) member.add(one);
  else Object.assign(state, { [name]: value });
}
