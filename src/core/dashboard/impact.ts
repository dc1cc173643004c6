/** The dependency graph of holds: what is held, and by what. */
import { cascades } from '../hold/cascade.ts';
import {
  effectiveStatus,
  blocksOf,
  holderName,
  holdersByItem,
  isRfc,
  openHolders,
  type Holder,
} from '../hold/holds.ts';
import { sinceOf } from '../rfc/rfc.ts';
import type { State } from '../state/state.ts';
import { plainText } from '../kit/plain.ts';
import { firstLine } from '../kit/text.ts';
import type { EffectiveStatus, Urgency, WorkKind } from '../kit/words.ts';
import { msBetween } from './figures.ts';

export interface ImpactHolder {
  readonly id: string;
  readonly kind: 'question' | 'rfc';
  /** First line of the question, title of the RFC. */
  readonly name: string;
  readonly agent_id: string;
  readonly urgency: Urgency | null;
  readonly since: string;
  readonly waiting_ms: number;
  /** Number of held items, dependants included. */
  readonly workflows: number;
  readonly tasks: number;
}

export interface ImpactNode {
  readonly id: string;
  readonly kind: 'question' | 'rfc' | WorkKind;
  readonly name: string;
  /** Null for a holder. */
  readonly status: EffectiveStatus | null;
}

/** `from` blocks `to`: a holder blocks its work, a workflow its steps, an item its dependants. */
export interface ImpactEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'holds' | 'part_of' | 'depends_on';
}

export interface Impact {
  readonly held_workflows: number;
  readonly held_tasks: number;
  /** Largest number of held items first, then the longest wait. */
  readonly holders: readonly ImpactHolder[];
  /** Only holders and held items. */
  readonly nodes: readonly ImpactNode[];
  readonly edges: readonly ImpactEdge[];
}

export function impactOf(state: State, now: string): Impact {
  const reachOf = cascades(state);
  const held = new Set<string>();
  const edges: ImpactEdge[] = [];
  const holders = openHolders(state).map((holder) => {
    const { direct, open } = reachOf(holder);
    for (const id of open) held.add(id);
    for (const id of direct) if (open.includes(id)) edges.push({ from: holder.id, to: id, kind: 'holds' });
    return summary(state, holder, open, now);
  });
  for (const id of held) {
    const item = state.work.get(id);
    if (!item) continue;
    if (item.workflow !== null && held.has(item.workflow)) edges.push({ from: item.workflow, to: id, kind: 'part_of' });
    for (const on of item.dependsOn) if (held.has(on)) edges.push({ from: on, to: id, kind: 'depends_on' });
  }
  const known = [...held].filter((id) => state.work.has(id));
  return {
    held_workflows: known.filter((id) => state.work.get(id)?.kind === 'workflow').length,
    held_tasks: known.filter((id) => state.work.get(id)?.kind === 'task').length,
    holders: holders.sort(byImpact),
    nodes: [
      ...holders.map(({ id, kind, name }): ImpactNode => ({ id, kind, name, status: null })),
      ...workNodes(state, known),
    ],
    edges: edges.filter(({ to }) => state.work.has(to)),
  };
}

function workNodes(state: State, ids: readonly string[]): ImpactNode[] {
  const byItem = holdersByItem(state);
  return ids.flatMap((id) => {
    const item = state.work.get(id);
    if (!item) return [];
    return [{ id, kind: item.kind, name: item.title, status: effectiveStatus(item, blocksOf(state, id, byItem)) }];
  });
}

function summary(state: State, holder: Holder, items: readonly string[], now: string): ImpactHolder {
  const kinds = items.map((id) => state.work.get(id)?.kind);
  const since = isRfc(holder) ? sinceOf(holder) : holder.raisedAt;
  return {
    id: holder.id,
    kind: isRfc(holder) ? 'rfc' : 'question',
    name: firstLine(plainText(holderName(holder)), 200),
    agent_id: holder.asker.id,
    urgency: isRfc(holder) ? null : holder.urgency,
    since,
    waiting_ms: msBetween(since, now),
    workflows: kinds.filter((kind) => kind === 'workflow').length,
    tasks: kinds.filter((kind) => kind === 'task').length,
  };
}

function byImpact(a: ImpactHolder, b: ImpactHolder): number {
  return b.workflows + b.tasks - (a.workflows + a.tasks) || b.waiting_ms - a.waiting_ms || (a.id < b.id ? -1 : 1);
}
