/**
 * The fold's state as a file beside the snapshot, so that the gate and hooks need not fold the whole journal each time.
 * A cache like the snapshot: its hash is in the user-level file, and on a mismatch the journal is read from its start.
 */
import path from 'node:path';
import type { Trust } from '../../core/records/decision.ts';
import type { QuestionRaised } from '../../core/records/records.ts';
import { emptyState } from '../../core/state/state.ts';
import { textOfKey } from '../../core/question/question.ts';
import type { State } from '../../core/state/state.ts';
import type { FileSystem } from '../journal/files.ts';
import type { Origin } from '../journal/ledger.ts';
import { readSegment } from '../journal/line.ts';
import { openJournal } from '../journal/openJournal.ts';
import { packEvents, unpackEvents } from './events.ts';
import type { PackedEvent } from './events.ts';
import { inParts, readSaved } from './parts.ts';
import type { PartMark, Reads, SavedFile } from './parts.ts';
import { packQuestions, unpackQuestions } from './questions.ts';
import type { PackedQuestions } from './questions.ts';
import { packSettled, unpackSettled } from './requests.ts';
import type { PackedSettled } from './requests.ts';
import { journalPath, storeFolder } from '../journal/segments.ts';
import type { SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { projectionVersion } from '../rows/version.ts';

/** `holdpoint-<position>-<head>.sqlite` and `.json`. */
export const snapshotName = /^holdpoint-\d+-[0-9a-f]{16}$/;

interface Source {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  readonly trust: Trust;
  /** `parts`: members of the state may throw `SavedStateGone` when they are first read. Default: `whole`. */
  readonly reads?: Reads | undefined;
}

/** The state to start from, if one was saved for this very journal under the current keys; else null. */
export function loadState(source: Source): (Origin & { readonly entry: SnapshotEntry }) | null {
  try {
    const { snapshot = null, vouched = null } = source.stateFile.read() ?? {};
    return loadEntry(source, snapshot) ?? loadEntry(source, vouched);
  } catch {
    return null;
  }
}

function loadEntry(
  { fs, root, trust, reads = 'whole' }: Source,
  entry: SnapshotEntry | null,
): (Origin & { readonly entry: SnapshotEntry }) | null {
  if (!entry || !snapshotName.test(entry.name) || entry.keys === undefined) return null;
  if (entry.keys !== trust.keys() || !trust.accepts(entry)) return null;
  try {
    const place = { fs, file: path.join(root, storeFolder, `${entry.name}.json`), reads };
    const saved = readSaved<LastLine>(place, entry.stateHash);
    const state = saved && parseState(saved);
    if (!state || !lineStands(fs, root, entry, state.seals)) return null;
    return { state, position: entry.position, head: entry.head, headAt: entry.headAt, entry };
  } catch {
    return null;
  }
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

/**
 * Parts of JSON: data needed only to check further records; event headers; open requests; settled requests; each question
 * as raised, in order, one a line; and last the state. A gate reads the last, creates from it only the questions that
 * matter, and leaves the rest unread. Maps and sets occur only at the top level of the state: they become marked lists
 * there.
 * @returns the hash to record
 */
export function formatState({
  pendingKeys,
  openTexts: _, // follow from the keys
  latestByText,
  recentMutations,
  imports,
  questions,
  events,
  requests,
  settledRequests,
  requestKeys,
  bundles,
  ...state
}: State): Generator<string, string> {
  return inParts(
    [
      marked({ pendingKeys, latestByText, recentMutations, imports }),
      [JSON.stringify(packEvents(events))],
      marked({ requests }),
      marked({ requestKeys, bundles, settled: packSettled(settledRequests) }),
      asRaised(questions),
    ],
    function* last(parts) {
      yield `{"version":${String(projectionVersion())},"parts":${JSON.stringify(parts)},"state":`;
      yield* marked(state);
      yield ',"questions":';
      yield* packQuestions(questions);
      yield '}';
    },
  );
}

function* asRaised(questions: State['questions']): Generator<string> {
  let before = '';
  for (const { raised } of questions.values()) {
    yield before + JSON.stringify(raised);
    before = '\n';
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
  readonly questions: PackedQuestions;
}

/** Null for a state written by another version of the program. */
function parseState({ last, part }: SavedFile<LastLine>): State | null {
  const { version, state, questions } = last;
  if (version !== projectionVersion()) return null;
  const keys = once(() => {
    const read = unmarked(JSON.parse(part(0)) as Saved);
    return { ...read, openTexts: openTextsOf(read.pendingKeys) };
  });
  const events = once(() => unpackEvents(JSON.parse(part(1)) as PackedEvent[]));
  const requests = once(() => unmarked(JSON.parse(part(2)) as Saved).requests);
  const more = once(() => unmarked(JSON.parse(part(3)) as Saved) as State & { settled: PackedSettled[] });
  const settledRequests = once(() => unpackSettled(more().settled));
  const texts = once(() => part(4).split('\n'));
  const raised = new Map<string, QuestionRaised>();
  const textOf = (id: string, place: number) => {
    const known = raised.get(id) ?? (JSON.parse(texts()[place] ?? '') as QuestionRaised);
    raised.set(id, known);
    return known;
  };
  const saved = unpackQuestions(questions, textOf);
  let touched = false;
  const all = once(() => {
    touched = true;
    return saved.all();
  });
  const loaded: State = {
    ...emptyState(),
    ...unmarked(state),
    get questions() {
      return all();
    },
    get pendingKeys() {
      return keys().pendingKeys;
    },
    get openTexts() {
      return keys().openTexts;
    },
    get latestByText() {
      return keys().latestByText;
    },
    get recentMutations() {
      return keys().recentMutations;
    },
    get imports() {
      return keys().imports;
    },
    get events() {
      return events();
    },
    get requests() {
      return requests();
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
  };
  // Not enumerable, so that copying or comparing states skips it: a second access to the same questions, valid until
  // they could change.
  return Object.defineProperty(loaded, 'unread', { get: () => (touched ? null : saved) });
}

function openTextsOf(pendingKeys: State['pendingKeys']): State['openTexts'] {
  const open = new Map<string, string[]>();
  for (const [key, id] of pendingKeys) {
    const text = textOfKey(key);
    open.set(text, [...(open.get(text) ?? []), id]);
  }
  return open;
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
