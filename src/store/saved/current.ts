/**
 * What gates and hooks answer from (`state.json`), without folding anything. A cache: its hash is in the user-level file, and
 * where that, the keys that count or the end of the journal are others, the journal is read.
 */
import path from 'node:path';
import { copiesOf } from '../../core/state/facts.ts';
import { emptyState, type Question, type State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { FileSystem } from '../journal/files.ts';
import { readFrame } from '../journal/frame.ts';
import { openJournal } from '../journal/openJournal.ts';
import { journalPath, placesOf, storeFolder, unsafeFile, unsafeIn } from '../journal/segments.ts';
import type { CurrentEntry, StateFile } from '../journal/stateFile.ts';
import { stateVersion } from './version.ts';

/** In the store's folder. Programs that commit write it, as long as the journal is where they left it. */
export const currentFile = 'state.json';

export interface SavedPlace {
  readonly fs: FileSystem;
  readonly root: string;
  readonly stateFile: StateFile;
  /** Hash of the keys that count (`Trust.keys`); null where no saved state does. */
  readonly keys: string | null;
}

/** The state at the end of the journal, which is the end that the user-level file knows; else null. */
export function loadCurrent({ fs, root, stateFile, keys }: SavedPlace) {
  try {
    const anchor = stateFile.read();
    const entry = anchor?.current;
    if (entry?.position !== anchor?.position || entry?.head !== anchor?.head || entry?.keys !== keys) return null;
    const { folders, file } = placesOf(root);
    if (unsafeIn(fs, root, folders) !== null || unsafeFile(fs, root, file) !== null) return null;
    const state = stateInFile({ fs, root }, currentFile, entry);
    const after = state && bytesAfter({ fs, root }, entry, state.seals);
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
 * What the journal has after the state's last line, as far as one character; null unless that line stands there, with all
 * files before it.
 */
export function bytesAfter({ fs, root }: Root, entry: CurrentEntry, ends: readonly number[]): string | null {
  const { headAt, position, head } = entry;
  const journal = openJournal(fs, journalPath(root), ends, position);
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

/** The members of a state; maps and sets occur only at the top level. */
export type Saved = Readonly<Record<string, { map?: [unknown, unknown][]; set?: unknown[]; value?: unknown }>>;
/** A question without what follows from how it was raised. */
export type SavedQuestion = Omit<Question, keyof ReturnType<typeof copiesOf>>;

export interface SavedState {
  readonly version: string;
  readonly state: Saved;
  readonly questions: readonly SavedQuestion[];
}

/** Null for a state written by another version of the program. @throws Error when it is no saved state */
export function stateIn(bytes: Buffer): State | null {
  const { version, state, questions } = JSON.parse(bytes.toString('utf8')) as SavedState;
  if (version !== stateVersion()) return null;
  const byId = questions.map((saved) => [saved.raised.id, { ...copiesOf(saved.raised), ...saved }] as const);
  return { ...emptyState(), ...unmarked(state), questions: new Map(byId) };
}

function unmarked(saved: Saved): Partial<State> {
  const members = Object.entries(saved).map(([name, { map, set, value }]) => [
    name,
    map ? new Map(map) : set ? new Set(set) : value,
  ]);
  return Object.fromEntries(members) as Partial<State>;
}
