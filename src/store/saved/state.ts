/**
 * The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
 * user-level file, and where it does not match, the journal is read from its start.
 */
import path from 'node:path';
import { copiesOf } from '../../core/state/facts.ts';
import type { Trust } from '../../core/records/decision.ts';
import { isCurrent, onlyWhole, type Question, type State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { replaceQuickly, type FileSystem } from '../journal/files.ts';
import type { Ledger, Origin } from '../journal/ledger.ts';
import { quietly } from '../journal/problem.ts';
import { storeFolder } from '../journal/segments.ts';
import type { CurrentEntry, SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { bytesAfter, currentFile, stateInFile, type Saved, type SavedQuestion, type SavedState } from './current.ts';
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
  const { fs, root, trust } = place;
  if (entry.keys === undefined || entry.keys !== trust.keys() || !trust.accepts(entry)) return null;
  try {
    const state = stateInFile({ fs, root }, `${entry.name}.json`, entry);
    const { position, head, headAt } = entry;
    const stands = state !== null && bytesAfter({ fs, root }, entry, state.seals) !== null;
    return stands ? { state, position, head, headAt, entry } : null;
  } catch {
    return null; // not readable as a state: the journal is folded
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

function marked(entries: readonly (readonly [string, unknown])[]): Saved {
  const members = entries.map(([name, value]) => {
    if (value instanceof Map) return [name, { map: [...(value as Map<unknown, unknown>)] }];
    return [name, value instanceof Set ? { set: [...(value as Set<unknown>)] } : { value }];
  });
  return Object.fromEntries(members) as Saved;
}
