/**
 * The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
 * user-level file, and where it does not match, the journal is read from its start.
 */
import path from 'node:path';
import { copiesOf } from '../../core/state/facts.ts';
import type { Trust } from '../../core/records/decision.ts';
import { emptyState, isCurrent, onlyWhole } from '../../core/state/state.ts';
import type { Question, State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { FileSystem } from '../journal/files.ts';
import type { Origin } from '../journal/ledger.ts';
import { readSegment } from '../journal/line.ts';
import { openJournal } from '../journal/openJournal.ts';
import { journalPath, storeFolder } from '../journal/segments.ts';
import type { SnapshotEntry, StateFile } from '../journal/stateFile.ts';
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

function loadEntry({ fs, root, trust }: Place, entry: SnapshotEntry | null): SavedOrigin | null {
  if (!entry || !snapshotName.test(entry.name) || entry.keys === undefined) return null;
  if (entry.keys !== trust.keys() || !trust.accepts(entry)) return null;
  const { position, head, headAt } = entry;
  try {
    const bytes = fs.readFileSync(path.join(root, storeFolder, `${entry.name}.json`));
    const saved = sha256(bytes) === entry.stateHash ? stateIn(bytes) : null;
    return saved && lineStands(fs, root, entry, saved.state.seals) ? { ...saved, position, head, headAt, entry } : null;
  } catch {
    return null; // not readable as a state: the journal is folded
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

/** The members of a state; maps and sets occur only at the top level. */
type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;
/** A question without what follows from how it was raised. */
type SavedQuestion = Omit<Question, keyof ReturnType<typeof copiesOf>>;

interface CurrentLine {
  readonly version: string;
  readonly state: Saved;
  readonly questions: readonly SavedQuestion[];
}

interface WholeLine {
  readonly state: Saved;
  readonly questions: readonly SavedQuestion[];
}

/** Two lines of JSON: what gates and hooks answer from (`CurrentState`), and the rest. */
export function formatState(all: State): Buffer {
  const later = new Set<string>(onlyWhole);
  const { questions, ...members } = all;
  const entries = Object.entries(members) as [string, unknown][];
  const [current, closed] = [[] as SavedQuestion[], [] as SavedQuestion[]];
  for (const question of questions.values()) (isCurrent(all, question) ? current : closed).push(packed(question));
  const first: CurrentLine = {
    version: stateVersion(),
    state: marked(entries.filter(([name]) => !later.has(name))),
    questions: current,
  };
  const second: WholeLine = { state: marked(entries.filter(([name]) => later.has(name))), questions: closed };
  return Buffer.from(`${JSON.stringify(first)}\n${JSON.stringify(second)}`);
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
export function stateIn(bytes: Buffer): Pick<SavedOrigin, 'state' | 'complete'> | null {
  const end = bytes.indexOf(lineFeed);
  if (end < 0) return null;
  const { version, state: members, questions } = JSON.parse(bytes.toString('utf8', 0, end)) as CurrentLine;
  if (version !== stateVersion()) return null;
  const state: State = { ...emptyState(), ...unmarked(members), questions: byId(questions.map(unpacked)) };
  return {
    state,
    complete() {
      const { state: more, questions: closed } = JSON.parse(bytes.toString('utf8', end + 1)) as WholeLine;
      const all = [...state.questions.values(), ...closed.map(unpacked)];
      if (all.slice(state.questions.size).some((question) => isCurrent(state, question)))
        throw new Error('the saved state is not what a program writes');
      Object.assign(state, unmarked(more), { questions: byId(all) });
    },
  };
}

const lineFeed = 0x0a;

/** In the order of their numbers. */
function byId(questions: readonly Question[]): State['questions'] {
  const numbered = questions.map((question) => [Number(question.id.slice('Q-'.length)), question] as const);
  return new Map(numbered.sort(([a], [b]) => a - b).map(([, question]) => [question.id, question]));
}
