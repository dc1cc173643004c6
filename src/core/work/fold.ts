/** Effects of work records. While an item is held, its edges, scopes and owner may grow but not shrink. */
import { type Change, Inadmissible, type Folding } from '../state/change.ts';
import {
  blocksOf,
  heldThrough,
  holdersByItem,
  isRfc,
  stoppedBy,
  type Block,
  holderName,
  type Holder,
} from '../hold/holds.ts';
import { fewNames } from '../kit/text.ts';
import { isOfSamePerson, personOf } from '../kit/persons.ts';
import type { CountedLine, PlainOf } from '../records/plain.ts';
import { isFinished, type State, type WorkItem, isUnfinished } from '../state/state.ts';
import type { BaseStatus } from '../kit/words.ts';
import { isUnruled } from '../state/quorum.ts';

type Registered = PlainOf<'work.registered'>;
type Updated = PlainOf<'work.updated'>;

export function registerWork({ state, change, line }: Folding, record: Registered): void {
  if (state.work.has(record.id)) throw new Inadmissible(`work item ${record.id} is already registered`);
  requireWorkflow(state, record.workflow, record.id);
  const dependsOn = [...new Set(record.dependsOn)];
  for (const id of dependsOn) requireDependency(state, record.id, id);
  const item: WorkItem = {
    id: record.id,
    kind: record.workKind,
    title: record.title,
    status: record.status,
    step: null,
    workflow: record.workflow,
    dependsOn,
    holds: [...new Set(record.holds)],
    assignee: record.assignee ?? starter(record.status, line),
    createdBy: line.actor.id,
    createdAt: line.time,
    updatedAt: line.time,
    startOrder: startOrder(state, change, record.status),
  };
  if (isProgress({ status: record.status })) {
    const named = new Set(item.workflow === null ? dependsOn : [item.workflow, ...dependsOn]);
    for (const id of heldThrough(state, item, holdersByItem(state, named)))
      refuseIfHeld(item.id, blocksOf(state, id), 'cannot be registered as started or finished');
    if (item.workflow !== null) refuseIfStopped(state, item.workflow, 'cannot be registered as started or finished');
  }
  refuseIfStartedForOthers(state, item, line);
  putWork(state, change, item);
}

export function putWork(state: State, change: Change, item: WorkItem): void {
  change.set(state.work, item.id, item);
  if (item.status === 'in_progress') change.add(state.inProgress, item.id);
  else change.drop(state.inProgress, item.id);
}

export function updateWork({ state, change, line }: Folding, record: Updated): void {
  const item = state.work.get(record.id);
  if (!item) throw new Inadmissible(`work item ${record.id} is not registered`);
  if (item.status === 'deleted') throw new Inadmissible(`work item ${record.id} was deleted`);
  const blocks = blocksOf(state, item.id);
  if (!isExpiry(item, blocks, record, line)) refuseIfOfOthers(state, item, record, line);
  if (isProgress(record)) {
    refuseIfHeld(item.id, blocks, 'cannot make progress');
    refuseIfStopped(state, item.id, 'cannot make progress');
  }
  if (record.status === 'deleted') refuseIfNeeded(state, item.id);
  const shrink = shrinking(item, record);
  if (shrink !== null) {
    refuseIfHeld(item.id, blocks, shrink);
    refuseIfStopped(state, item.id, shrink);
  }
  if (record.workflow !== undefined) requireWorkflow(state, record.workflow, item.id);
  for (const id of record.addDependsOn) {
    requireDependency(state, item.id, id);
    if (reaches(state, id, item.id))
      throw new Inadmissible(`${item.id} cannot depend on ${id}: ${id} already waits for ${item.id}`);
  }
  if (record.workflow !== undefined && record.workflow !== null && reaches(state, record.workflow, item.id))
    throw new Inadmissible(
      `${item.id} cannot belong to ${record.workflow}: ${record.workflow} already waits for ${item.id}`,
    );
  const status = record.status ?? item.status;
  const updated: WorkItem = {
    ...item,
    title: record.title ?? item.title,
    status,
    step: record.step ?? item.step,
    workflow: record.workflow === undefined ? item.workflow : record.workflow,
    assignee: record.assignee === undefined ? (item.assignee ?? starter(record.status, line)) : record.assignee,
    dependsOn: editList(item.dependsOn, record.addDependsOn, record.removeDependsOn),
    holds: editList(item.holds, record.addHolds, record.removeHolds),
    updatedAt: line.time,
    startOrder: record.status === 'in_progress' ? startOrder(state, change, status) : item.startOrder,
  };
  if (updated.assignee !== item.assignee || updated.status !== item.status)
    refuseIfStartedForOthers(state, updated, line);
  putWork(state, change, updated);
}

/** In a shared journal: what an agent works on decides what holds it, so no agent of another person says that. */
function refuseIfStartedForOthers(state: State, { id, status, assignee }: WorkItem, line: CountedLine): void {
  if (status !== 'in_progress' || assignee === null || isOwn(state, assignee, line)) return;
  throw new Inadmissible(
    `${id} cannot be started for ${assignee}, which is another person's agent: it starts by itself`,
  );
}

/** Whether it only fails the task of an expired sync question, as the sweep of any machine does. */
function isExpiry(item: WorkItem, blocks: readonly Block[], record: Updated, { actor }: CountedLine): boolean {
  const { kind: _, v: __, id: ___, status, addDependsOn, removeDependsOn, addHolds, removeHolds, ...others } = record;
  const hasMore =
    [addDependsOn, removeDependsOn, addHolds, removeHolds].some((list) => list.length > 0) ||
    Object.values(others).some((value) => value !== undefined);
  if (actor.kind !== 'system' || status !== 'failed' || hasMore) return false;
  return blocks.some(
    ({ holder }) =>
      !isRfc(holder) &&
      holder.mode === 'sync' &&
      holder.status === 'expired' &&
      holder.resolution === null &&
      holder.work === item.id,
  );
}

/** Others may add to it. An item without an assignee belongs to whoever registered it until an agent starts it. */
function refuseIfOfOthers(state: State, item: WorkItem, record: Updated, line: CountedLine): void {
  const isChanged = record.status !== undefined || record.step !== undefined;
  const shrink = shrinking(item, record);
  const owner = item.assignee ?? (shrink === null ? null : item.createdBy);
  if ((!isChanged && shrink === null) || owner === null || isOwn(state, owner, line)) return;
  // Assigned before the journal was shared: no agent has that id any more. While it is held, this is refused anyway.
  if (!isChanged && shrink === reassigned && personOf(owner) === null) return;
  throw new Inadmissible(`${item.id} is the work of ${owner}, which is another person's agent: only add to it`);
}

/** Whether the writer is an agent of the same person. An imported name may be nobody's, and a journal of one machine has one person. */
function isOwn({ shared, agents }: State, agent: string, { actor }: CountedLine): boolean {
  if (shared === null || (personOf(agent) === null && !agents.has(agent))) return true;
  return actor.kind === 'agent' && isOfSamePerson(agent, actor.id);
}

/** Starting, finishing and stepping are progress. Failing and parking are not, because they go no further. */
export function isProgress(update: { status?: BaseStatus | undefined; step?: string | undefined }): boolean {
  return (
    update.step !== undefined ||
    update.status === 'in_progress' ||
    update.status === 'done' ||
    update.status === 'cancelled' ||
    update.status === 'deleted'
  );
}

const reassigned = 'cannot be reassigned';

/** Describes the parts that an update would remove from a held item; null when it only adds. */
function shrinking(item: WorkItem, record: Updated): string | null {
  if (record.removeDependsOn.some((id) => item.dependsOn.includes(id))) return 'cannot lose a dependency';
  if (record.removeHolds.some((glob) => item.holds.includes(glob))) return 'cannot lose a file scope';
  if (record.workflow !== undefined && item.workflow !== null && record.workflow !== item.workflow)
    return 'cannot leave its workflow';
  if (record.assignee !== undefined && item.assignee !== null && record.assignee !== item.assignee) return reassigned;
  return null;
}

function refuseIfHeld(id: string, blocks: readonly Block[], what: string): void {
  if (blocks.length === 0) return;
  const holders = blocks.map((block) => block.holder.id).join(', ');
  throw new Inadmissible(`${id} ${what} while ${holders} ${blocks.length === 1 ? 'holds' : 'hold'} it`, 'held');
}

/** Stopped work stays stopped: it cannot be restarted or leave its workflow. */
function refuseIfStopped(state: State, id: string, what: string): void {
  const rfc = stoppedBy(state, id);
  if (rfc) throw new Inadmissible(`${id} ${what}: a human stopped it with ${rfc.id}`, 'held');
}

/** Only what nothing waits for can be deleted. Its id stays taken, and the journal keeps its history. */
function refuseIfNeeded(state: State, id: string): void {
  const others = [...state.work.values()].filter(
    (one) => !isFinished(one) && (one.workflow === id || one.dependsOn.includes(id)),
  );
  if (others.length > 0)
    throw new Inadmissible(`${id} cannot be deleted: ${fewNames(others.map((one) => one.id))} needs it`);
}

function registeredItem(state: State, id: string): WorkItem | undefined {
  const item = state.work.get(id);
  return item?.status === 'deleted' ? undefined : item;
}

function requireWorkflow(state: State, workflow: string | null, id: string): void {
  if (workflow === null) return;
  if (workflow === id) throw new Inadmissible(`${id} cannot be its own workflow`);
  const found = registeredItem(state, workflow);
  if (!found) throw new Inadmissible(`workflow ${workflow} is not registered`);
  if (found.kind !== 'workflow') throw new Inadmissible(`${workflow} is a task, not a workflow`);
}

function requireDependency(state: State, id: string, target: string): void {
  if (target === id) throw new Inadmissible(`${id} cannot depend on itself`);
  if (!registeredItem(state, target)) throw new Inadmissible(`dependency ${target} is not registered`);
}

/** Whether `from` depends on `target`, directly or indirectly. */
function reaches(state: State, from: string, target: string): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === target) return true;
    const item = state.work.get(id);
    if (!item) continue;
    if (item.workflow !== null) seen.add(item.workflow);
    for (const next of item.dependsOn) seen.add(next);
  }
  return false;
}

function starter(status: BaseStatus | undefined, line: CountedLine): string | null {
  return status === 'in_progress' && line.actor.kind === 'agent' ? line.actor.id : null;
}

function startOrder(state: State, change: Change, status: BaseStatus): number {
  if (status !== 'in_progress') return 0;
  change.assign(state, 'starts', state.starts + 1);
  return state.starts;
}

function editList(list: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  return [...new Set([...list.filter((value) => !remove.includes(value)), ...add])];
}

// Cancels work that a human stopped, with everything in its workflows.

export function cancelWork(state: State, change: Change, named: readonly string[], at: string): void {
  for (const id of withParts(state, named)) {
    const item = state.work.get(id);
    if (item && isUnfinished(item)) putWork(state, change, { ...item, status: 'cancelled', updatedAt: at });
  }
}

export function withParts(state: State, named: readonly string[]): Set<string> {
  const reached = new Set(named);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const item of state.work.values())
      if (item.workflow !== null && reached.has(item.workflow)) reached.add(item.id);
  }
  return reached;
}

// A human's signed deletion of a work item, with everything in it. It ends what others waited for with the item, and no
// question or RFC: those stay open, with the files and other work that they hold.

export interface Deletion {
  readonly item: WorkItem;
  readonly parts: readonly WorkItem[];
  readonly holders: readonly Holder[];
  /** Unfinished items that wait for any of them, and no longer will. */
  readonly dependants: readonly WorkItem[];
}

/** Null for an unknown or deleted item. */
export function deletionOf(state: State, id: string): Deletion | null {
  const gone = new Map(
    [...withParts(state, [id])].flatMap((each) => {
      const item = state.work.get(each);
      return item && item.status !== 'deleted' ? [[each, item] as const] : [];
    }),
  );
  const item = gone.get(id);
  if (!item) return null;
  const byItem = holdersByItem(state);
  const blocks = [...gone.keys()].flatMap((each) => blocksOf(state, each, byItem));
  return {
    item,
    parts: [...gone.values()].filter((each) => each !== item),
    holders: [...new Map(blocks.map(({ holder }) => [holder.id, holder])).values()],
    dependants: [...state.work.values()].filter(
      (each) => !gone.has(each.id) && !isFinished(each) && each.dependsOn.some((on) => gone.has(on)),
    ),
  };
}

export function shownDeletion({ item, parts, holders, dependants }: Deletion): object {
  const named = ({ id, title }: WorkItem) => ({ id, title });
  return {
    ...named(item),
    kind: item.kind,
    parts: parts.map(named),
    holders: holders.map((holder) => ({ id: holder.id, name: holderName(holder) })),
    dependants: dependants.map(named),
  };
}

/** What has to be decided first, because one person cannot; null for nothing. */
export function decidedFirst(state: State, { holders }: Deletion): Holder | null {
  return holders.find((holder) => !isUnruled(state, holder)) ?? null;
}
