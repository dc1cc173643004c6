/** Work items, which agents register and update unless held. */
import { fewNames, firstLine } from '../../core/kit/text.ts';
import { blocksOf, effectiveStatus, holderName, holdersByItem, type Block } from '../../core/hold/holds.ts';
import { meantBy } from '../../core/kit/persons.ts';
import { withParts, isProgress } from '../../core/work/fold.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { State, WorkItem } from '../../core/state/state.ts';
import type { WorkKind } from '../../core/kit/words.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { AppError, asAgent, notRegistered } from '../workspace/errors.ts';
import {
  requireRoomToRegister,
  changesBetween,
  type FieldChange,
  registration,
  type AgentSession,
} from '../workspace/session.ts';
import * as z from 'zod';
import { hasItem } from '../../core/waiting/items.ts';

export type RegisterInput = Omit<Extract<RecordInput, { kind: 'work.registered' }>, 'kind' | 'v' | 'workKind'> & {
  readonly workKind?: WorkKind | undefined;
};
export type UpdateInput = Omit<Extract<RecordInput, { kind: 'work.updated' }>, 'kind' | 'v'>;

export interface Registered {
  readonly work: WorkView;
  /** True when it was registered before. */
  readonly already: boolean;
  readonly changed: readonly FieldChange[];
}

/**
 * Registers a work item, or updates the one with that id: fields that are not given stay as they are.
 * @throws AppError `conflict` for another kind, `bad_input` for unknown or cyclic relations, `denied` when held
 */
export async function registerWork(store: Store, session: AgentSession, asked: RegisterInput): Promise<Registered> {
  const input = { ...asked, assignee: meantBy(session.actor.id, asked.assignee) };
  const before = await asAgent(async () =>
    store.transact(session.actor, ({ state }): Act<WorkView | null> => {
      const known = state.work.get(input.id);
      if (known) {
        const update = updateFor(known, input);
        return { records: update ? updating(state, session, update) : [], result: workView(state, known.id) };
      }
      requireRoomToRegister(state, session.actor.id);
      const { workKind = 'task' } = input;
      const record = { ...input, kind: 'work.registered', v: 1, workKind } as const;
      return { records: [...registration(state, session), record], result: null };
    }),
  );
  const work = workView(store.read().state, input.id);
  const fields = ['title', 'base_status', 'workflow', 'depends_on', 'holds', 'assigned_agent'] as const;
  return { work, already: before !== null, changed: before ? changesBetween(before, work, fields) : [] };
}

/** What a second registration adds or changes; null when it says the same. It never parks or reopens work. */
function updateFor(known: WorkItem, input: RegisterInput): UpdateInput | null {
  if (input.workKind !== undefined && input.workKind !== known.kind)
    throw new AppError('conflict', `"${known.id}" is registered as a ${known.kind}, and its kind cannot change`);
  const { title, workflow, assignee, status, dependsOn = [], holds = [] } = input;
  const addDependsOn = dependsOn.filter((id) => !known.dependsOn.includes(id));
  const addHolds = holds.filter((glob) => !known.holds.includes(glob));
  const update = {
    ...(title.trim() === known.title ? {} : { title }),
    ...(workflow == null || workflow === known.workflow ? {} : { workflow }),
    ...(assignee == null || assignee === known.assignee ? {} : { assignee }),
    ...(status === 'in_progress' && known.status === 'todo' ? { status } : {}),
    ...(addDependsOn.length === 0 ? {} : { addDependsOn }),
    ...(addHolds.length === 0 ? {} : { addHolds }),
  };
  return Object.keys(update).length === 0 ? null : { id: known.id, ...update };
}

/** @throws AppError `not_found`, `denied` with the holders in `blocks`, `bad_input` for invalid relations */
export async function updateWork(store: Store, session: AgentSession, asked: UpdateInput): Promise<WorkView> {
  const input = { ...asked, assignee: meantBy(session.actor.id, asked.assignee) };
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      return { records: updating(state, session, input), result: null };
    }),
  );
  return workView(store.read().state, input.id);
}

function updating(state: State, session: AgentSession, input: UpdateInput): RecordInput[] {
  const item = requireWork(state, input.id);
  const blocks = blocksOf(state, item.id);
  if (isProgress(input) && blocks.length > 0) throw new HeldError(item, blocks);
  const parts = input.status === 'deleted' ? partsOf(state, item.id) : [];
  return [
    ...registration(state, session),
    ...parts.map((id) => ({ kind: 'work.updated', v: 1, id, status: 'deleted' }) as const),
    { kind: 'work.updated', v: 1, ...input },
  ];
}

/** Everything in a workflow that is not deleted yet, each before its dependencies. */
function partsOf(state: State, workflow: string): string[] {
  const left = withParts(state, [workflow]);
  left.delete(workflow);
  for (const id of left) if (state.work.get(id)?.status === 'deleted') left.delete(id);
  const parts: string[] = [];
  while (left.size > 0) {
    const needed = new Set([...left].flatMap((id) => needsOf(state.work.get(id))));
    const next = [...left].filter((id) => !needed.has(id));
    for (const id of next) left.delete(id);
    parts.push(...next);
  }
  return parts;
}

function needsOf(item: WorkItem | undefined): readonly string[] {
  return item ? [...item.dependsOn, ...(item.workflow === null ? [] : [item.workflow])] : [];
}

/** Progress refused because the item is held. */
export class HeldError extends AppError {
  readonly item: WorkItem;
  readonly blocks: readonly Block[];
  constructor(item: WorkItem, blocks: readonly Block[]) {
    super('denied', `${item.title} (${item.id}) is held by ${fewNames(blocks.map(({ holder }) => holder.id))}`);
    this.item = item;
    this.blocks = blocks;
  }
}

function requireWork(state: State, id: string): WorkItem {
  const item = state.work.get(id);
  if (!item) throw notRegistered(id);
  return item;
}

export interface WorkView extends ReturnType<typeof workView> {}

/** @throws AppError `not_found` */
export function workView(state: State, id: string, byItem?: Parameters<typeof blocksOf>[2]) {
  const item = requireWork(state, id);
  const blocks = blocksOf(state, id, byItem);
  return {
    id: item.id,
    kind: item.kind,
    title: item.title,
    /** Derived: `blocked_…` while held and not finished, else the base status. */
    status: effectiveStatus(item, blocks),
    base_status: item.status,
    step: item.step,
    workflow: item.workflow,
    depends_on: item.dependsOn,
    holds: item.holds,
    assigned_agent: item.assignee,
    blocks: blocks.map(({ holder, via }) => ({ id: holder.id, text: holderName(holder), via })),
    created_by: item.createdBy,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  };
}

export function listWork(state: State): WorkView[] {
  const byItem = holdersByItem(state);
  return [...state.work.values()]
    .filter(({ status }) => status !== 'deleted')
    .map(({ id }) => workView(state, id, byItem));
}

// Relationships between questions, work and files.

export const relationshipType = z.enum(['blocks', 'depends_on', 'references']);
export type RelationshipType = z.infer<typeof relationshipType>;

export interface Relationship {
  readonly from_id: string;
  readonly from_type: string;
  readonly relationship_type: string;
  readonly to_id: string;
  readonly to_type: string;
  /** Number of steps: 1 is a direct relationship. */
  readonly distance: number;
  /** `out`: from the given entity; `in`: to it. */
  readonly direction: 'out' | 'in';
}

/**
 * Everything connected with an entity, over any number of steps, in both directions.
 * @throws AppError `not_found` for an unknown id
 */
export function relationshipsOf(view: View, id: string, type?: RelationshipType): Relationship[] {
  const known = view.state.work.has(id) || view.state.events.has(id) || hasItem(view.state, id);
  const found = [...walk(view, id, 'out', type), ...walk(view, id, 'in', type)];
  if (!known && found.length === 0)
    throw new AppError(
      'not_found',
      `there is no question, RFC, request, event, work item or file "${firstLine(id)}" here`,
    );
  return found;
}

function walk(view: View, id: string, direction: 'out' | 'in', type: RelationshipType | undefined): Relationship[] {
  const found: Relationship[] = [];
  let edge = [id];
  const seen = new Set(edge);
  for (let distance = 1; edge.length > 0; distance++) {
    const next: string[] = [];
    for (const at of edge)
      for (const row of directRelationships(view, at, direction, type)) {
        found.push({ ...row, distance, direction });
        const other = direction === 'out' ? row.to_id : row.from_id;
        if (!seen.has(other)) next.push(other);
        seen.add(other);
      }
    edge = next;
  }
  return found;
}

function directRelationships(view: View, id: string, direction: 'out' | 'in', type: RelationshipType | undefined) {
  const found = view.rows.all<Omit<Relationship, 'distance' | 'direction'>>(
    `SELECT * FROM relationships WHERE ${direction === 'out' ? 'from_id' : 'to_id'} = ?`,
    id,
  );
  return type === undefined ? found : found.filter(({ relationship_type: one }) => one === type);
}
