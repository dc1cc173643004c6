/**
 * A quick look at held files: which differ from their baseline, and during which call. Files are read only where their
 * size, times or inode differ. Without a baseline it costs nothing.
 */
import { limits } from '../../core/kit/limits.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { type HeldChange, type HeldFiles, heldChangesAtMost, type Baseline } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { holderOf, isOpenHolder, openHolder, type Holder, fileScopes } from '../../core/hold/holds.ts';
import { unlessOffline } from '../workspace/errors.ts';
import type { Answering } from '../workspace/atGate.ts';
import {
  type BaselineFile,
  type BaselinePart,
  type BaselinePlace,
  contentOf,
  copyOf,
  diskOf,
  type FileMark,
  hasContents,
  heldOnDisk,
  type HeldOnDisk,
  ownFiles,
  type Place,
  placeOf,
  readBaseline,
  unreadableHash,
} from './baseline.ts';
import type { GateAnswer } from './gate.ts';
import path from 'node:path';
import { globHolds, isPath } from '../../core/kit/paths.ts';

export interface SeenCall {
  /** How it is called in texts: its command, or the tool's name. */
  readonly text: string;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
}

/** File systems and clocks differ a little. Milliseconds. */
const clockMs = 20;

/**
 * Records its new part. Returns all differences, known ones included.
 *
 * @param call the call that has just ended
 * @param recording waits for the record; default: as long as it takes
 * @param isLate whether there is no more time: what is not compared then is named
 */
export async function lookAtHeld(
  workspace: Answering,
  call: SeenCall | null = null,
  recording: (recorded: Promise<void>) => Promise<unknown> = (recorded) => recorded,
  isLate?: () => boolean,
): Promise<readonly Found[]> {
  return look(workspace, { call, recording, isLate });
}

/** Looks at the files that one question or RFC holds. */
export async function lookAtHeldBy(workspace: Answering, id: string): Promise<readonly Found[]> {
  return look(workspace, { call: null, recording: (recorded) => recorded }, [id]);
}

/**
 * The holders about whose files a baseline is missing or was changed. That is recorded, so that a human can accept it: then
 * a new one is taken.
 */
export async function lostBaselines(
  workspace: Answering,
  recording: (recorded: Promise<void>) => Promise<unknown>,
): Promise<readonly string[]> {
  const { state } = workspace.current();
  if (!state || state.heldFiles.size === 0) return [];
  const copy = copyOf(workspace, state);
  const lost = [...state.heldFiles.keys()].filter((id) => {
    const { baselines = [] } = (openHolder(state, id) && ownFiles(state, id, copy)) ?? {};
    return baselines.length > 0 && !isWhole(workspace, id, baselines);
  });
  if (lost.length > 0) await look(workspace, { call: null, recording }, lost);
  return lost;
}

export function lostBaselinesText(ids: readonly string[]): string {
  const [id = '', ...more] = ids;
  const all = more.length === 0 ? id : `${id} and ${String(more.length)} more`;
  return `Denied: what .holdpoint/baselines had about the files held by ${all} is missing or was changed, so a change of them could be neither noticed nor restored. Stop, and ask your human to look at the files and to accept this in the form of ${id}. Reading, searching and Holdpoint's own tools still work.`;
}

/** The gate's answer for all who ask: it denies where a baseline was lost, and `why` says so; null where none was. */
export async function withBaselines(
  workspace: Answering,
  answer: GateAnswer,
): Promise<GateAnswer & { readonly why: string | null }> {
  const lost = await lostBaselines(workspace, (recorded) => recorded);
  if (lost.length === 0) return { ...answer, why: null };
  return { ...answer, verdict: 'deny', state: 'UNKNOWN', why: lostBaselinesText(lost) };
}

interface Looking {
  readonly call: SeenCall | null;
  readonly recording: (recorded: Promise<void>) => Promise<unknown>;
  readonly isLate?: (() => boolean) | undefined;
}

async function look(
  workspace: Answering,
  { call, recording, isLate }: Looking,
  ids?: readonly string[],
): Promise<readonly Found[]> {
  const { state } = workspace.current();
  if (!state || state.heldFiles.size === 0) return [];
  const found = compareHeld(workspace, state, ids ? { ids } : { ids: state.heldFiles.keys(), isLate });
  const copy = copyOf(workspace, state);
  if (isLate?.() === true) return found;
  const records = (current: CurrentState) =>
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
export function isAsBefore(workspace: Answering, holder: Holder, { path: name, was }: HeldChange): boolean {
  const place = placeOf(workspace, holder);
  try {
    const mark = heldOnDisk(place, [name]).files.get(name);
    return (mark ? contentOf(place, name, mark) : null) === was;
  } catch {
    return false;
  }
}

// Finds the held files that differ from their baseline. A file is read only if its size, times or inode differ, and each
// name is checked only once, no matter how many questions hold it.

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
  readonly restored: readonly string[];
  /** The baseline cannot be used, or more changed than is kept. */
  readonly lost: boolean;
  /** Globs of files that could not be compared in time. */
  readonly late?: readonly string[];
}

/** A file changed so shortly before its baseline was taken may change again without a new time. Milliseconds. */
const racyMs = 50;

interface Comparison {
  readonly ids: Iterable<string>;
  /** Whether the caller has no more time. */
  readonly isLate?: (() => boolean) | undefined;
}

/**
 * Compares the held files of these questions and RFCs, as far as they are open and have a baseline. Returns those with
 * something to tell, and writes nothing.
 */
export function compareHeld(
  workspace: Answering,
  state: CurrentState,
  { ids, isLate = () => false }: Comparison,
): Found[] {
  const copy = copyOf(workspace, state);
  const kept = { fs: workspace.options.fs, root: workspace.location.root };
  const onDisk = lookOnce(workspace);
  const found: Found[] = [];
  for (const id of ids) {
    const holder = openHolder(state, id);
    if (!holder) continue;
    const place = placeOf(workspace, holder);
    const known = ownFiles(state, id, copy);
    if (!known || known.baselines.length === 0) continue;
    if (isLate()) {
      found.push({ id, differences: [], restored: [], lost: false, late: fileScopes(state, holder) });
      continue;
    }
    const one = compareOne({ id, known, place, kept, onDisk, scopes: () => fileScopes(state, holder) });
    if (one.lost || one.differences.length + one.restored.length > 0) found.push(one);
  }
  return found;
}

/** Reads the held files once for all questions that hold the same ones, such as those of one work item. */
type LookOnce = (place: Place, scopes: readonly string[]) => HeldOnDisk;

function lookOnce({ options }: Answering): LookOnce {
  const disk = diskOf(options.fs);
  const known = new Map<string, HeldOnDisk>();
  return (place, scopes) => {
    const key = [place.folder, ...scopes].join('\0');
    const found = known.get(key) ?? heldOnDisk(place, scopes, disk);
    known.set(key, found);
    return found;
  };
}

/** Whether all of a baseline is there: without its contents, nothing can be restored. */
export function isWhole(
  { options: { fs }, location: { root } }: Answering,
  id: string,
  baselines: readonly Baseline[],
): boolean {
  const parts = readBaseline({ fs, root }, id, baselines);
  return parts?.every((part) => hasContents({ fs, root }, id, part)) === true;
}

interface Compared {
  readonly id: string;
  readonly known: HeldFiles;
  readonly place: Place;
  readonly kept: BaselinePlace;
  readonly onDisk: LookOnce;
  /** The globs held now. The baselines may include files that a human has released since. */
  readonly scopes: () => ReturnType<typeof fileScopes>;
}

function compareOne({ id, known, place, kept, onDisk, scopes }: Compared): Found {
  const lost = { id, differences: [], restored: [], lost: true };
  try {
    const parts = readBaseline(kept, id, known.baselines);
    if (!parts) return lost;
    const found = differencesOf({ place, onDisk, parts, known });
    const all = found.length === 0 ? found : heldDifferences(found, known, { place, scopes: scopes() });
    const differences = all.filter((one) => isPath(one.path));
    const differs = new Set(differences.map((one) => one.path));
    return {
      id,
      differences: differences.slice(0, heldChangesAtMost),
      restored: known.changes.flatMap((one) => (differs.has(one.path) ? [] : [one.path])),
      // What cannot be restored is lost too.
      lost:
        differences.length !== all.length ||
        differences.length > heldChangesAtMost ||
        !parts.every((part) => hasContents(kept, id, part)),
    };
  } catch {
    return lost;
  }
}

function heldDifferences(
  found: readonly Difference[],
  { changes }: HeldFiles,
  { place, scopes }: { readonly place: Place; readonly scopes: readonly string[] },
): Difference[] {
  const noted = new Map(changes.map((one) => [one.path, one.is]));
  return found.flatMap((one) => {
    if (scopes.some((glob) => globHolds(glob, one.path, place.ignoreCase))) return [one];
    // A change from before it was released stays as it was noted.
    const is = noted.get(one.path);
    return is === undefined ? [] : [{ ...one, is }];
  });
}

interface Comparing extends Pick<Compared, 'place' | 'onDisk' | 'known'> {
  readonly parts: readonly BaselinePart[];
}

function differencesOf({ place, onDisk, parts, known: { accepted } }: Comparing): Difference[] {
  const { files } = onDisk(place, [...new Set(parts.flatMap(({ scopes }) => scopes))]);
  const found: Difference[] = [];
  const known = new Set<string>();
  const compare = (name: string, was: BaselineFile | null, takenAt: number) => {
    const mark = files.get(name) ?? null;
    if (was && mark && isUntouched(was.mark, mark, takenAt)) return;
    const is = mark && contentNow(place, name, mark, was);
    if (is === (was?.content ?? null) || accepted.some((one) => one.path === name && one.is === is)) return;
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
function isUntouched(before: FileMark, now: Omit<FileMark, 'kind'>, takenAt: number): boolean {
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
  const wasRead = was === null || was.mark.kind === 'link' || was.content !== unreadableHash(was.mark);
  return contentOf(place, name, mark, wasRead);
}

/** Of a file that is gone, when something in its folder last changed. */
function changedAt({ fs, folder }: Place, name: string, mark: FileMark | null): number | null {
  if (mark) return mark.ctimeMs;
  return fs.statSync(path.dirname(path.join(folder, name)), { throwIfNoEntry: false })?.ctimeMs ?? null;
}
