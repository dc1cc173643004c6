/**
 * The fold's state as a file, so that programs need not fold the whole journal each time. A cache: its hash is in the
 * user-level file, and where it does not match, the journal is read from its start.
 */
import path from 'node:path';
import { isCurrent, onlyWhole, type Question, type State, copiesOf } from '../../core/state/state.ts';
import type { Trust } from '../../core/records/decision.ts';
import { sha256 } from '../../trust/canonical.ts';
import { replaceQuickly, type FileSystem, storeFolder } from '../journal/files.ts';
import type { Ledger, Origin } from '../journal/ledger.ts';
import { ignoreErrors } from '../journal/problem.ts';
import type { CurrentEntry, SnapshotEntry, StateFile } from '../journal/stateFile.ts';
import { bytesAfter, currentFile, stateInFile, type Part, type SavedQuestion, stateVersion } from './current.ts';

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
  for (const entry of savedEntries(place))
    try {
      const origin = originOf(place, entry, stateInFile(place, `${entry.name}.json`, entry));
      if (origin) return origin;
    } catch {
      continue; // not readable as a state: the journal is folded
    }
  return null;
}

/** The snapshots that may be used, the newest first. */
export function savedEntries({ stateFile, trust }: Place): SnapshotEntry[] {
  try {
    const { snapshot = null, vouched = null } = stateFile.read() ?? {};
    const keys = trust.keys();
    return [snapshot, vouched]
      .flatMap((entry) => entry ?? [])
      .filter((entry) => snapshotName.test(entry.name) && keys !== null && entry.keys === keys && trust.accepts(entry));
  } catch {
    return [];
  }
}

/** Null where the journal no longer has the last line of the state. */
export function originOf(place: Place, entry: SnapshotEntry, state: State | null): SavedOrigin | null {
  const { position, head, headAt } = entry;
  return state && bytesAfter(place, entry) !== null ? { state, position, head, headAt, entry } : null;
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
  if (keys !== null && !problem) ignoreErrors(() => (current = writeCurrent(target, ledger, keys)));
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

const partSize = 500;

/** All of it: the version and the parts, each a line of JSON. */
export function formatState(state: State): Buffer {
  return linesOf(state, []);
}

/** What gates and hooks answer from (`CurrentState`), in the same form, and so that they parse as little as they need. */
export function formatCurrent(state: State): Buffer {
  const current = [...state.questions].filter(([, question]) => isCurrent(state, question));
  const questions = new Map(current.map(([id, question]) => [id, { ...question, raised: null }]));
  const raised = current.flatMap(([id, question]) => (question.raised ? [[id, question.raised] as const] : []));
  return linesOf(
    { ...state, questions },
    [...onlyWhole, 'work'],
    [...laterPart('work', [...state.work]), ...laterPart('questions', raised)],
  );
}

function linesOf(state: State, without: readonly string[], more: readonly unknown[] = []): Buffer {
  const parts = (Object.entries(state) as [keyof State, unknown][])
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, value]) => partsOf(name, value));
  return Buffer.from([stateVersion(), ...parts, ...more].map((one) => JSON.stringify(one)).join('\n'));
}

/** A part and the lines of its values. */
function laterPart(name: keyof State, entries: readonly (readonly [string, unknown])[]): unknown[] {
  return [{ name, keys: entries.map(([key]) => key) } satisfies Part, ...entries.map(([, value]) => value)];
}

function partsOf(name: keyof State, value: unknown): Part[] {
  if (value instanceof Map) {
    const saved = [...value].map(
      ([key, one]: [unknown, unknown]) => [key, name === 'questions' ? packQuestion(one as Question) : one] as const,
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

function packQuestion(question: Question): SavedQuestion {
  const { raised } = question;
  const copies = new Set<string>(raised ? Object.keys(copiesOf(raised)) : []);
  const own = Object.entries(question as object).filter(
    ([name, value]) => !copies.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(own);
}
