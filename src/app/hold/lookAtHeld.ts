/**
 * A quick look at held files: which differ from their baseline, and during which call. Files are read only where their
 * size, times or inode differ. Without a baseline it costs nothing.
 */
import path from 'node:path';
import { globHolds } from '../../core/kit/glob.ts';
import { workspacePath } from '../../core/kit/paths.ts';
import { limits } from '../../core/kit/words.ts';
import { heldChangesAtMost } from '../../core/records/heldChanges.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { HeldChange, HeldFiles } from '../../core/state/heldChanges.ts';
import type { State } from '../../core/state/state.ts';
import { fileScopes, holderOf, isOpenHolder } from '../../core/hold/holds.ts';
import type { Holder } from '../../core/hold/holds.ts';
import { unlessOffline } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { contentOf, readBaseline, unread } from './baseline.ts';
import type { BaselineFile, BaselinePart } from './baseline.ts';
import { copyOf, ownFiles } from './copy.ts';
import { heldOnDisk } from './heldOnDisk.ts';
import type { FileMark, Place } from './heldOnDisk.ts';
import { placeOf } from './takeBaselines.ts';

/** A call of a tool that has just ended. */
export interface SeenCall {
  /** How it is called in texts: its command, or the tool's name. */
  readonly text: string;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
}

/** A held file that is not as in its baseline, nor as a human accepted it. */
export interface Difference {
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** When it changed. Milliseconds since the epoch; null if that cannot be told. */
  readonly changedAt: number | null;
}

/** What a look found about one question or RFC. */
export interface Found {
  readonly id: string;
  readonly differences: readonly Difference[];
  /** Noted as changed, and as in the baseline again. */
  readonly restored: readonly string[];
  /** The baseline cannot be used, or more changed than is kept. */
  readonly lost: boolean;
}

/** A file changed so shortly before its baseline was taken may change again without a new time. Milliseconds. */
const racyMs = 50;

/**
 * Compares the held files of these questions and RFCs, as far as they are open and have a baseline; by default of all.
 * Writes nothing.
 */
export function compareHeld(
  workspace: Workspace,
  state: State,
  ids: Iterable<string> = state.heldFiles.keys(),
): Found[] {
  const copy = copyOf(workspace, state);
  return [...ids].flatMap((id) => {
    const holder = holderOf(state, id);
    const known = ownFiles(state, id, copy);
    return holder && known && isOpenHolder(holder) && known.baselines.length > 0
      ? [compareOne(workspace, { holder, known, scopes: fileScopes(state, holder) })]
      : [];
  });
}

interface Compared {
  readonly holder: Holder;
  readonly known: HeldFiles;
  /** What is held now: its baselines are also about what a human has released since. */
  readonly scopes: readonly string[];
}

function compareOne(workspace: Workspace, { holder, known, scopes }: Compared): Found {
  const { id } = holder;
  const lost = { id, differences: [], restored: [], lost: true };
  try {
    const parts = readBaseline(workspace.options.fs, workspace.location.root, id, known.baselines);
    if (!parts) return lost;
    const place = placeOf(workspace, holder);
    const noted = new Map(known.changes.map((one) => [one.path, one.is]));
    const isHeld = (name: string) => scopes.some((glob) => globHolds(glob, name, place.ignoreCase));
    const all = differencesOf(place, parts, new Map(known.accepted.map(({ path: name, is }) => [name, is]))).flatMap(
      (one) => {
        if (isHeld(one.path)) return [one];
        // A change from before it was released stays as it was noted.
        const is = noted.get(one.path);
        return is === undefined ? [] : [{ ...one, is }];
      },
    );
    const differences = all.filter((one) => workspacePath.safeParse(one.path).success);
    const differs = new Set(differences.map((one) => one.path));
    return {
      id,
      differences: differences.slice(0, heldChangesAtMost),
      restored: known.changes.flatMap((one) => (differs.has(one.path) ? [] : [one.path])),
      lost: differences.length !== all.length || differences.length > heldChangesAtMost,
    };
  } catch {
    return lost;
  }
}

function differencesOf(
  place: Place,
  parts: readonly BaselinePart[],
  accepted: ReadonlyMap<string, string | null>,
): Difference[] {
  const { files } = heldOnDisk(place, [...new Set(parts.flatMap(({ scopes }) => scopes))]);
  const found: Difference[] = [];
  const known = new Set<string>();
  const compare = (name: string, was: BaselineFile | null, takenAt: number) => {
    const mark = files.get(name) ?? null;
    if (was && mark && isUntouched(was.mark, mark, takenAt)) return;
    const is = mark && contentNow(place, name, mark, was);
    if (is === (was?.content ?? null) || (accepted.has(name) && accepted.get(name) === is)) return;
    found.push({ path: name, was: was?.content ?? null, is, changedAt: changedAt(place, name, mark) });
  };
  for (const [index, part] of parts.entries()) {
    const earlier = parts.slice(0, index).flatMap(({ scopes }) => scopes);
    // A later part cannot vouch for a file that an earlier one is about.
    const isEarlier = (name: string) => earlier.some((glob) => globHolds(glob, name, place.ignoreCase));
    for (const [name, was] of part.files) {
      if (known.has(name) || isEarlier(name)) continue;
      known.add(name);
      compare(name, was, part.takenAt);
    }
  }
  // Of a folder with too many files, the baseline does not have all.
  if (!parts.some(({ cut }) => cut)) for (const name of files.keys()) if (!known.has(name)) compare(name, null, 0);
  return found;
}

function isUntouched(before: FileMark, now: FileMark, takenAt: number): boolean {
  return (
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.ino === now.ino &&
    before.dev === now.dev &&
    now.ctimeMs < takenAt - racyMs
  );
}

/** In the form that the baseline has: of a file that was not read, by size and time. */
function contentNow(place: Place, name: string, mark: FileMark, was: BaselineFile | null): string | null {
  const wasRead = was === null || was.mark.kind === 'link' || was.content !== unread(was.mark);
  return contentOf(place, name, mark, wasRead);
}

/** Of a file that is gone, when something in its folder last changed. */
function changedAt({ fs, folder }: Place, name: string, mark: FileMark | null): number | null {
  if (mark) return mark.ctimeMs;
  return fs.statSync(path.dirname(path.join(folder, name)), { throwIfNoEntry: false })?.ctimeMs ?? null;
}

/** File systems and clocks differ a little. Milliseconds. */
const clockMs = 20;

/**
 * Records what is new of it. Returns what differs now, including what was known.
 *
 * @param call the call that has just ended
 * @param recording waits for the record; default: as long as it takes
 */
export async function lookAtHeld(
  workspace: Workspace,
  call: SeenCall | null = null,
  recording: (recorded: Promise<void>) => Promise<unknown> = (recorded) => recorded,
): Promise<readonly Found[]> {
  return look(workspace, { call, recording });
}

/** The same for the files that one question or RFC holds. */
export async function lookAtHeldBy(workspace: Workspace, id: string): Promise<readonly Found[]> {
  return look(workspace, { call: null, recording: (recorded) => recorded }, [id]);
}

interface Looking {
  readonly call: SeenCall | null;
  readonly recording: (recorded: Promise<void>) => Promise<unknown>;
}

async function look(
  workspace: Workspace,
  { call, recording }: Looking,
  ids?: readonly string[],
): Promise<readonly Found[]> {
  const { state } = workspace.standing();
  if (!state || state.heldFiles.size === 0) return [];
  const found = compareHeld(workspace, state, ids);
  const copy = copyOf(workspace, state);
  const records = (current: State) =>
    found.flatMap((one) => recordsOf(ownFiles(current, one.id, copy), holderOf(current, one.id), one, call));
  if (records(state).length === 0) return found;
  const store = await workspace.store();
  if (store.problem || store.readOnly) return found;
  const own = (record: LookRecord) => (copy == null ? record : { ...record, copy });
  const noted = store.transact({ kind: 'system', id: 'look' }, (view) => ({
    records: records(view.state).map(own),
    result: null,
  }));
  // The agent reads it also while a team's server does not answer; a later look records it.
  await recording(unlessOffline(noted));
  workspace.changed();
  return found;
}

type LookRecord = Extract<RecordInput, { kind: 'hold.violated' | 'hold.fileRestored' }>;

function recordsOf(
  known: HeldFiles | undefined,
  holder: Holder | undefined,
  { id, differences, restored, lost }: Found,
  call: SeenCall | null,
): LookRecord[] {
  if (!known || !holder || !isOpenHolder(holder)) return [];
  const noted = new Map(known.changes.map((one) => [one.path, one.is]));
  const fresh = differences.filter(({ path: name, is }) => !noted.has(name) || noted.get(name) !== is);
  const isDuring = ({ changedAt }: Difference) =>
    call !== null && changedAt !== null && changedAt >= call.since - clockMs;
  const text = call === null ? {} : { call: call.text.slice(0, limits.otherText) };
  const violated = (files: readonly Difference[], more: { call?: string; lost?: true } = {}): LookRecord => ({
    kind: 'hold.violated',
    v: 1,
    id,
    files: files.map(({ path: name, was, is }) => ({ path: name, was, is })),
    ...more,
  });
  return [
    ...batches(fresh.filter(isDuring)).map((files) => violated(files, text)),
    ...batches(fresh.filter((one) => !isDuring(one))).map((files) => violated(files)),
    ...(lost && known.lost === null ? [violated([], { lost: true })] : []),
    ...batches(restored.filter((name) => noted.has(name))).map((paths): LookRecord => ({
      kind: 'hold.fileRestored',
      v: 1,
      id,
      paths,
    })),
  ];
}

function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / limits.listItems);
  return Array.from({ length: count }, (_, at) => all.slice(at * limits.listItems, (at + 1) * limits.listItems));
}

/** Whether a file that was noted as changed has the content of its baseline. */
export function isAsBefore(workspace: Workspace, holder: Holder, { path: name, was }: HeldChange): boolean {
  const place = placeOf(workspace, holder);
  try {
    const mark = heldOnDisk(place, [name]).files.get(name);
    return (mark ? contentOf(place, name, mark) : null) === was;
  } catch {
    return false;
  }
}
