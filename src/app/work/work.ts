/** Work items: what agents register and move along, as far as nothing holds it. */
import { blocksOf, effectiveStatus, holderName, holdersByItem } from '../../core/hold/holds.ts';
import type { Block } from '../../core/hold/holds.ts';
import { isProgress } from '../../core/work/fold.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { State, WorkItem } from '../../core/state/state.ts';
import type { BaseStatus, EffectiveStatus, WorkKind } from '../../core/kit/words.ts';
import type { Store } from '../../store/store.ts';
import { requireRoomToRegister } from '../workspace/crowds.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession } from '../workspace/session.ts';

export interface WorkView {
  readonly id: string;
  readonly kind: WorkKind;
  readonly title: string;
  /** Derived: `blocked_…` while held, else the base status. */
  readonly status: EffectiveStatus;
  readonly base_status: BaseStatus;
  readonly step: string | null;
  readonly workflow: string | null;
  readonly depends_on: readonly string[];
  readonly holds: readonly string[];
  readonly assigned_agent: string | null;
  readonly blocks: readonly { readonly id: string; readonly text: string; readonly via: string }[];
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type RegisterInput = Omit<Extract<RecordInput, { kind: 'work.registered' }>, 'kind' | 'v'>;
export type UpdateInput = Omit<Extract<RecordInput, { kind: 'work.updated' }>, 'kind' | 'v'>;

/** @throws AppError `conflict` when the id is taken, `bad_input` for unknown or cyclic relations, `denied` when held */
export function registerWork(store: Store, session: AgentSession, input: RegisterInput): WorkView {
  asAgent(() =>
    store.transact(session.actor, ({ state }) => {
      if (state.work.has(input.id))
        throw new AppError(
          'conflict',
          `work item "${input.id}" is registered already. Use holdpoint_update_work to change it.`,
        );
      requireRoomToRegister(state, session.actor.id);
      return { records: [...registration(state, session), { kind: 'work.registered', v: 1, ...input }], result: null };
    }),
  );
  return workView(store.read().state, input.id);
}

/** @throws AppError `not_found`, `denied` with what holds it in `blocks`, `bad_input` for relations that cannot be */
export function updateWork(store: Store, session: AgentSession, input: UpdateInput): WorkView {
  asAgent(() =>
    store.transact(session.actor, ({ state }) => {
      const item = requireWork(state, input.id);
      const blocks = blocksOf(state, item.id);
      if (isProgress(input) && blocks.length > 0) throw new HeldError(item, blocks);
      return { records: [...registration(state, session), { kind: 'work.updated', v: 1, ...input }], result: null };
    }),
  );
  return workView(store.read().state, input.id);
}

/** Progress refused because the item is held. */
export class HeldError extends AppError {
  readonly item: WorkItem;
  readonly blocks: readonly Block[];
  constructor(item: WorkItem, blocks: readonly Block[]) {
    super('denied', `${item.title} (${item.id}) is held by ${blocks.map(({ holder }) => holder.id).join(', ')}`);
    this.item = item;
    this.blocks = blocks;
  }
}

function requireWork(state: State, id: string): WorkItem {
  const item = state.work.get(id);
  if (!item)
    throw new AppError(
      'not_found',
      `work item "${id}" is not registered. Register it first with holdpoint_register_work.`,
    );
  return item;
}

/** @throws AppError `not_found` */
export function workView(state: State, id: string, byItem?: Parameters<typeof blocksOf>[2]): WorkView {
  const item = requireWork(state, id);
  const blocks = blocksOf(state, id, byItem);
  return {
    id: item.id,
    kind: item.kind,
    title: item.title,
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
  return [...state.work.keys()].map((id) => workView(state, id, byItem));
}
