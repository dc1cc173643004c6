/**
 * A quick look at held files: which differ from their baseline, and during which call. Files are read only where their
 * size, times or inode differ. Without a baseline it costs nothing.
 */
import { limits } from '../../core/kit/limits.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { HeldChange, HeldFiles } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { holderOf, isOpenHolder, openHolder, type Holder } from '../../core/hold/holds.ts';
import { unlessOffline } from '../workspace/errors.ts';
import type { Answering } from '../workspace/atGate.ts';
import { contentOf, placeOf } from './baseline.ts';
import { compareHeld, isWhole, type Difference, type Found } from './compareHeld.ts';
import { copyOf, ownFiles } from './copy.ts';
import type { GateAnswer } from './gate.ts';
import { heldOnDisk } from './heldOnDisk.ts';

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
