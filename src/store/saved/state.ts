/**
 * The fold's state as a file beside the snapshot, so that the gate and hooks need not fold the whole journal each time.
 * A cache like the snapshot: its hash is in the user-level file, and on a mismatch the journal is read from its start.
 */
import path from 'node:path';
import type { Trust } from '../../core/records/decision.ts';
import { emptyState } from '../../core/state/state.ts';
import { textOfKey } from '../../core/question/question.ts';
import { isHolding } from '../../core/state/state.ts';
import type { Question, State, UnreadQuestions } from '../../core/state/state.ts';
import type { FileSystem } from '../journal/files.ts';
import type { Origin } from '../journal/ledger.ts';
import { readSegment } from '../journal/line.ts';
import { SavedStateGone } from '../journal/problem.ts';
import { openJournal } from '../journal/openJournal.ts';
import { packEvents, unpackEvents } from './events.ts';
import type { PackedEvent } from './events.ts';
import { inParts, marksOf, readSaved } from './parts.ts';
import type { PartMark, SavedFile } from './parts.ts';
import { lazyFromDefault, openSavedFile } from './openFile.ts';
import type { OpenFile } from './openFile.ts';
import { packHeldFiles, unpackHeldFiles } from './heldFiles.ts';
import { LazyMap, LazySet } from './lazyMap.ts';
import { byTexts, holdersIn, itself, once, sourceIn, together, undecidedIn } from './lookups.ts';
import { packShards, unpackShards } from './shards.ts';
import { gatherHolds, packBases, packBlocks, packIndex, packLists, unpackHolds } from './holds.ts';
import type { HoldIndex } from './holds.ts';
import { packQuestions, unpackQuestions } from './questions.ts';
import { packDependants, packWork, packWorkLists, unreadWork, workIn } from './work.ts';
import type { PackedItem } from './work.ts';
import { packSettled, unpackSettled } from './requests.ts';
import type { PackedSettled } from './requests.ts';
import { journalPath, storeFolder } from '../journal/segments.ts';
import type { SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { projectionVersion } from '../rows/version.ts';

/** `holdpoint-<position>-<head>.sqlite` and `.json`. */
export const snapshotName = /^holdpoint-\d+-[0-9a-f]{16}$/;

interface Place {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  readonly trust: Trust;
  /**
   * Files at least this long are read as needed: what is first read of them later may throw `SavedStateGone`. Bytes;
   * default: `lazyFromDefault`.
   */
  readonly lazyFrom?: number | undefined;
  /** Called before that is thrown. */
  readonly onGone?: (() => void) | undefined;
}

export interface SavedOrigin extends Origin {
  readonly entry: SnapshotEntry;
  /** The hashes of the blocks of the database that was saved with it (`databaseFile.ts`). @throws SavedStateGone */
  database(): string;
  /** Closes its file now, where the state is no longer used. */
  close(): void;
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

function loadEntry(
  { fs, root, trust, lazyFrom = lazyFromDefault, onGone }: Place,
  entry: SnapshotEntry | null,
): SavedOrigin | null {
  if (!entry || !snapshotName.test(entry.name) || entry.keys === undefined) return null;
  if (entry.keys !== trust.keys() || !trust.accepts(entry)) return null;
  const { position, head, headAt } = entry;
  let file: OpenFile | null = null;
  try {
    const open = (file = openSavedFile({ fs, file: fileOf(root, entry.name), lazyFrom, onGone }));
    const saved = readSaved<LastLine>(open, entry.stateHash);
    const state = saved && parseState(saved);
    if (state && lineStands(fs, root, entry, state.seals))
      return {
        state,
        position,
        head,
        headAt,
        entry,
        database: () => saved.part(placeOf('database')),
        close: open.close,
      };
  } catch {
    // Not readable as a state: fold the journal.
  }
  file?.close();
  return null;
}

function fileOf(root: string, name: string): string {
  return path.join(root, storeFolder, `${name}.json`);
}

/** Whether the journal contains, at the snapshot's position, the snapshot's last line, and all files before it. */
function lineStands(fs: FileSystem, root: string, entry: SnapshotEntry, ends: readonly number[]): boolean {
  const journal = openJournal(fs, journalPath(root), ends, entry.position);
  if (!journal) return false;
  try {
    const size = journal.size();
    if (typeof size === 'string' || size < entry.position) return false;
    const bytes = journal.read(entry.headAt, Math.min(size, entry.position + 1));
    const segment = readSegment(bytes, entry.headAt, entry.headAt);
    return (
      segment.kind === 'line' &&
      segment.hash === entry.head &&
      segment.next === entry.position &&
      segment.body.at === entry.headAt
    );
  } finally {
    journal.close();
  }
}

/** The parts that every saved state has, in order; blocks of holds and lists of them follow. */
const partNames = [
  ...(['checks', 'events', 'requests', 'agents', 'more', 'heldFiles', 'database'] as const),
  ...(['pending', 'pendingMarks', 'latest', 'latestMarks'] as const),
  ...(['lines', 'marks', 'columns', 'undecided'] as const),
  ...(['work', 'workMarks', 'dependants', 'dependantsMarks', 'workLists', 'bases'] as const),
] as const;
const placeOf = (name: (typeof partNames)[number]) => partNames.indexOf(name);

/**
 * Parts of JSON: data needed only to check further records; event headers; open requests; agents; what else is rarely
 * read; baselines of held files; hashes of the database's blocks; ids of questions by their texts, in shards; the
 * questions, as lines and as columns; which wait; work items and what depends on them, in shards, and lists of them; what
 * questions hold; and last the state. A gate reads the last, of the others what concerns the work, files and session
 * that it is asked about, and leaves the rest unread. Maps and sets occur only at the top level of the state: they become
 * marked lists there.
 * @param database hashes of the blocks of the one that is saved with it
 * @returns the hash to record
 */
export function formatState(all: State, database = ''): Generator<string, string> {
  const {
    pendingKeys,
    openTexts: _, // follow from the keys
    latestByText,
    recentMutations,
    imports,
    nonces,
    work: _work, // read item by item
    questions,
    undecided: _undecided, // follow from the questions
    holders: _holders, // follow from what they hold
    events,
    requests,
    agents,
    settledRequests,
    requestKeys,
    bundles,
    heldFiles,
    ...state
  } = all;
  const packed = packAll(all);
  const byKey = packShards(pendingKeys, textOfKey);
  const latest = packShards(latestByText, itself);
  function* parts(): Generator<Iterable<string>> {
    yield marked({ recentMutations, imports, nonces });
    yield [JSON.stringify(packEvents(events))];
    yield marked({ requests });
    yield marked({ agents });
    yield marked({ requestKeys, bundles, settled: packSettled(settledRequests) });
    yield [packHeldFiles(heldFiles)];
    yield [database];
    for (const { texts, marks } of [byKey, latest]) {
      yield texts();
      yield [marks()];
    }
    yield* packed.parts();
  }
  return inParts(parts(), function* last(marks) {
    yield `{"version":${String(projectionVersion())},"parts":${JSON.stringify(marks)},"state":`;
    yield* marked(state);
    yield `,"questions":${String(questions.size)},"firstExpiry":${JSON.stringify(packed.firstExpiry())},"holds":${JSON.stringify(packed.index())}}`;
  });
}

/** The parts that follow from questions and holders, and what the last line says of them. */
function packAll(state: State) {
  const gathered = gatherHolds(state);
  const questions = packQuestions(state.questions, gathered.add);
  const shards = [packWork(state.work), packDependants(state.work)];
  const firsts: number[] = [];
  let lists = 0;
  return {
    *parts(): Generator<Iterable<string>> {
      yield questions.lines();
      yield [questions.marks()];
      yield questions.columns();
      yield [questions.undecided()];
      for (const { texts, marks } of shards) {
        yield texts();
        yield [marks()];
      }
      yield [packWorkLists(state.work)];
      yield [packBases(gathered.holds)];
      for (const [first, text] of packBlocks(gathered.holds)) {
        firsts.push(first);
        yield [text];
      }
      for (const list of packLists(gathered.holds, state.work)) {
        lists += 1;
        yield [list];
      }
    },
    firstExpiry: questions.firstExpiry,
    index: (): HoldIndex => ({ ...packIndex(state, gathered.holds), firsts, lists }),
  };
}

/**
 * Whether a gate finds in the file what programs find that read all of it. Both are in the file, and whoever can write it
 * could make them differ.
 * @param state as it was loaded from there
 * @throws Error when it cannot be read
 */
export function isConsistent(
  { fs, root }: Pick<Place, 'fs' | 'root'>,
  { name, stateHash }: SnapshotEntry,
  state: State,
): boolean {
  const file = openSavedFile({ fs, file: fileOf(root, name), lazyFrom: 0 });
  try {
    const saved = readSaved<LastLine>(file, stateHash);
    if (!saved) throw new SavedStateGone();
    const { parts, holds } = saved.last;
    const packed = packAll(state);
    const marks = marksOf(packed.parts());
    return JSON.stringify([marks, packed.index()]) === JSON.stringify([parts.slice(placeOf('lines')), holds]);
  } finally {
    file.close();
  }
}

/** A JSON object in pieces, so that thousands of entries do not block as one step. */
function* marked(members: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (value instanceof Map) yield* list('map', value);
    else if (value instanceof Set) yield* list('set', value);
    else yield JSON.stringify({ value });
  }
  yield '}';
}

function* list(kind: 'map' | 'set', entries: Iterable<unknown>): Generator<string> {
  let before = `{"${kind}":[`;
  for (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}

type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;

interface LastLine {
  readonly version: number;
  readonly parts: readonly PartMark[];
  readonly state: Saved;
  /** How many there are. */
  readonly questions: number;
  readonly firstExpiry: string | null;
  readonly holds: HoldIndex;
}

/** Null for another file than the one with this hash. @throws Error when it cannot be read */
export function stateIn(file: OpenFile, hash: string): State | null {
  const saved = readSaved<LastLine>(file, hash);
  return saved && parseState(saved);
}

/** Null for a state written by another version of the program. */
function parseState({ last, part, piece }: SavedFile<LastLine>): State | null {
  if (last.version !== projectionVersion()) return null;
  const partOf = (name: (typeof partNames)[number]) => part(placeOf(name));
  const checks = once(() => unmarked(JSON.parse(partOf('checks')) as Saved));
  const events = once(() => unpackEvents(JSON.parse(partOf('events')) as PackedEvent[]));
  const requests = once(() => unmarked(JSON.parse(partOf('requests')) as Saved).requests);
  const agents = once(() => unmarked(JSON.parse(partOf('agents')) as Saved).agents);
  const more = once(() => unmarked(JSON.parse(partOf('more')) as Saved) as State & { settled: PackedSettled[] });
  const settledRequests = once(() => unpackSettled(more().settled));
  const heldFiles = once(() => unpackHeldFiles(partOf('heldFiles')));
  const { firsts, ...index } = last.holds;
  const holds = unpackHolds(last.holds, {
    block: (place) => part(partNames.length + place),
    list: (place) => part(partNames.length + firsts.length + place),
    bases: () => partOf('bases'),
  });
  const saved = unpackQuestions({
    count: last.questions,
    columns: () => partOf('columns'),
    marks: () => partOf('marks'),
    lines: (from, mark) => piece(placeOf('lines'), from, mark),
    briefOf: holds.brief,
  });
  const questions = new LazyMap<string, Question>(saved);
  const undecided = new LazySet<string>(undecidedIn(() => partOf('undecided'), saved.get));
  const holders = new LazySet<string>(holdersIn(last.holds, saved, holds));
  const shardsIn = (texts: 'pending' | 'latest' | 'work' | 'dependants') => ({
    marks: () => partOf(`${texts}Marks`),
    text: (from: number, mark: PartMark) => piece(placeOf(texts), from, mark).toString('utf8'),
  });
  const items = unpackShards<PackedItem>(shardsIn('work'));
  const work = new LazyMap(workIn(items));
  const { pendingKeys, openTexts } = byTexts(unpackShards(shardsIn('pending')));
  const latestByText = new LazyMap(sourceIn(unpackShards(shardsIn('latest')), itself));
  const workSince = unreadWork({
    work,
    items,
    dependants: unpackShards(shardsIn('dependants')),
    lists: () => partOf('workLists'),
  });
  const unread: UnreadQuestions = {
    ...index,
    get work() {
      return work.isLoaded ? null : workSince;
    },
    firstExpiry: last.firstExpiry,
    holds: holds.holds,
    isChanged: (id) => questions.isChanged(id),
    changed: () => questions.changed(),
    added: () => holders.added(),
    brief: (id) => (questions.isChanged(id) ? (questions.get(id) ?? null) : saved.brief(id)),
    held: (id, brief) => (questions.isChanged(id) || questions.isLoaded ? questions.get(id) : saved.held(id, brief)),
    get worktrees() {
      return [...new Set([...index.worktrees, ...changedHolders().map(({ asker }) => asker.worktree ?? null)])];
    },
    refused(keys) {
      const numbers = holds.refusing(keys);
      return numbers && new Set([...numbers.map((number) => `Q-${String(number)}`), ...questions.changed()]);
    },
    bases: () => together(holds.bases(), changedHolders()),
  };

  function changedHolders(): Question[] {
    return [...questions.changed()].flatMap((id) => {
      const question = questions.get(id);
      return question && isHolding(question) ? [question] : [];
    });
  }

  const loaded: State = {
    ...emptyState(),
    ...unmarked(last.state),
    ...{ work, questions, undecided, holders, pendingKeys, openTexts, latestByText },
    get nonces() {
      return checks().nonces;
    },
    get recentMutations() {
      return checks().recentMutations;
    },
    get imports() {
      return checks().imports;
    },
    get events() {
      return events();
    },
    get requests() {
      return requests();
    },
    get agents() {
      return agents();
    },
    get settledRequests() {
      return settledRequests();
    },
    get requestKeys() {
      return more().requestKeys;
    },
    get bundles() {
      return more().bundles;
    },
    get heldFiles() {
      return heldFiles();
    },
  };
  // Not enumerable, so that copying or comparing states skips it: a second access to the same questions, until all of
  // them are loaded.
  return Object.defineProperty(loaded, 'unread', { get: () => (questions.isLoaded ? null : unread) });
}

function unmarked(saved: Saved): State {
  const members = Object.entries(saved).map(([name, { map, set, value }]) => [
    name,
    map ? new Map(map) : set ? new Set(set) : value,
  ]);
  return Object.fromEntries(members) as State;
}
