/**
 * What gates and hooks answer from (`state.json`), without folding anything. A cache: its hash is in the user-level
 * file, and where that, the keys that are trusted or the end of the journal are others, the journal is read.
 */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QuestionRaised } from '../../core/records/records.ts';
import { emptyState, type Question, type State, copiesOf, unchanged } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { type FileSystem, journalPath, storeFolder, unsafePlace } from '../journal/files.ts';
import { openJournal, readFrame } from '../journal/openJournal.ts';
import type { CurrentEntry, StateFile } from '../journal/stateFile.ts';
import { readdirSync, readFileSync } from 'node:fs';

/** In the store's folder. Programs that commit write it, as long as the journal is where they left it. */
export const currentFile = 'state.json';

interface SavedPlace {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  /** Hash of the keys that are trusted (`Trust.keys`); null if no saved state can be used. */
  readonly keys: string | null;
}

/** The state at the end of the journal, which is the end that the user-level file knows; else null. */
export function loadCurrent({ fs, root, stateFile, keys }: SavedPlace) {
  try {
    const anchor = stateFile.read();
    const entry = anchor?.current;
    if (entry?.position !== anchor?.position || entry?.head !== anchor?.head || entry?.keys !== keys) return null;
    if (unsafePlace(fs, root) !== null) return null;
    const state = stateInFile({ fs, root }, currentFile, entry);
    const after = state && bytesAfter({ fs, root }, entry);
    const { position, head } = entry;
    return state && (after === '' || after === '\n') ? { state, position, head } : null;
  } catch {
    return null; // not readable as a state: the journal is folded
  }
}

type Root = Pick<SavedPlace, 'fs' | 'root'>;

/** Null for another file than was written. @throws Error when it cannot be read */
export function stateInFile({ fs, root }: Root, name: string, { stateHash }: CurrentEntry): State | null {
  const bytes = fs.readFileSync(path.join(root, storeFolder, name));
  return sha256(bytes) === stateHash ? stateIn(bytes) : null;
}

/**
 * What the journal has after the state's last line, as far as one character; null unless that line stands there.
 */
export function bytesAfter({ fs, root }: Root, entry: CurrentEntry): string | null {
  const { headAt, position, head } = entry;
  const journal = openJournal(fs, journalPath(root));
  if (!journal) return null;
  try {
    const size = journal.size();
    if (typeof size === 'string' || size < position) return null;
    const bytes = journal.read(headAt, Math.min(size, position + 2));
    // Its hash is known, and covers that it belongs at this offset.
    const last = readFrame(bytes, headAt, headAt);
    const stands = last.kind === 'framed' && last.hash === head && last.next === position;
    return stands ? bytes.toString('latin1', position - headAt) : null;
  } finally {
    journal.close();
  }
}

/** A question without what is usual, or follows from how it was raised. */
export type SavedQuestion = Partial<Question>;

/** Some entries of one member of the state, or all of it; maps and sets occur only at the top level. */
export interface Part {
  readonly name: keyof State;
  readonly map?: readonly (readonly [unknown, unknown])[];
  readonly set?: readonly unknown[];
  readonly value?: unknown;
  /** Of values that are parsed when they are asked for: these are the next lines. */
  readonly keys?: readonly string[];
}

/** What most questions have: it is left out. */
const usual = {
  ...{ raised: null, line: null, work: null, alsoWork: [], holds: [] },
  ...unchanged,
} satisfies Partial<Question>;

function unpackQuestion(question: SavedQuestion): Question {
  return { ...usual, ...(question.raised ? copiesOf(question.raised) : {}), ...question } as Question;
}

/** Null for a state written by another version of the program. @throws Error when it is not a saved state */
export function stateIn(bytes: Buffer): State | null {
  const state = startOf(bytes);
  if (state) for (const part of partsIn(bytes)) add(state, part);
  return state;
}

/** Reads the state with other work in between: a large state takes a tenth of a second. */
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

interface ReadPart extends Part {
  readonly later?: readonly (readonly [string, Later<unknown>])[];
}

type Later<T> = () => T;
type LaterEntries<T> = readonly (readonly [string, Later<T>])[];

function* partsIn(bytes: Buffer): Generator<ReadPart> {
  const lines = linesIn(bytes);
  lines.next(); // the version
  for (let line = lines.next(); !line.done; line = lines.next()) {
    const part = line.value() as Part;
    const { keys } = part;
    yield keys ? { ...part, later: keys.map((key) => [key, nextOf(lines)]) } : part;
  }
}

function nextOf(lines: Generator<Later<unknown>, undefined>): Later<unknown> {
  const { value } = lines.next();
  if (!value) throw new Error('a saved state ends before its last value');
  return value;
}

function* linesIn(bytes: Buffer): Generator<Later<unknown>, undefined> {
  for (let end = -1; end < bytes.length;) {
    const from = end + 1;
    const next = bytes.indexOf(0x0a, from);
    const to = (end = next < 0 ? bytes.length : next);
    yield () => JSON.parse(bytes.toString('utf8', from, to)) as unknown;
  }
}

function add(state: State, { name, map, set, value, later }: ReadPart): void {
  const member: unknown = state[name];
  if (map && member instanceof Map)
    for (const [key, one] of map) member.set(key, name === 'questions' ? unpackQuestion(one as SavedQuestion) : one);
  else if (set && member instanceof Set) for (const one of set) member.add(one);
  else if (later && name === 'questions') addRaised(state, new ParsedLater(later as LaterEntries<QuestionRaised>));
  else Object.assign(state, { [name]: later ? new ParsedLater(later as LaterEntries<object>) : value });
}

/** A map that parses a value when it is first asked for: a gate needs few of thousands. */
class ParsedLater<V extends object> extends Map<string, V | Later<V>> {
  override get(key: string): V | undefined {
    const found = super.get(key);
    if (typeof found !== 'function') return found;
    const value = found();
    this.set(key, value);
    return value;
  }
  override *entries(): MapIterator<[string, V]> {
    for (const key of this.keys()) {
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }
  override *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }
  override [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
  override forEach(each: (value: V, key: string, map: Map<string, V>) => void): void {
    for (const [key, value] of this.entries()) each(value, key, this);
  }
}

/** How questions were raised, which is most of what there is about them; only denials and lists show it. */
function addRaised({ questions }: State, raised: ParsedLater<QuestionRaised>): void {
  for (const id of raised.keys()) {
    const question = questions.get(id);
    if (question) Object.defineProperty(question, 'raised', { get: () => raised.get(id), enumerable: true });
  }
}

// Which saved states this program reads: those that the same code wrote. The build replaces the name by the hash, which only
// programs that run from their sources compute.
declare const HOLDPOINT_STATE: string | undefined;

let version: string | undefined;
export function stateVersion(): string {
  if (typeof HOLDPOINT_STATE === 'string') return HOLDPOINT_STATE;
  return (version ??= hashOfSources(path.join(import.meta.dirname, '..', '..')));
}

/** What folds the journal, and what reads and writes the state and the index that is saved with it. */
function hashOfSources(src: string): string {
  const hashes = ['core', 'trust', 'store/rows', 'store/saved'].flatMap((folder) => {
    const names = readdirSync(path.join(src, folder), { recursive: true }).map(String).sort();
    return names
      .filter((name) => name.endsWith('.ts'))
      .map((name) => sha256(readFileSync(path.join(src, folder, name))));
  });
  return sha256(Buffer.from(hashes.join())).slice(0, 16);
}
