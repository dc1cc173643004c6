/** The items that each agent waits for, and its work in the meantime. */
import {
  blocksOf,
  cascades,
  currentWork,
  effectiveStatus,
  type Holder,
  holderName,
  holdersByItem,
  isRfc,
  openHolders,
} from '../hold/holds.ts';
import { isRfcWaiting, sinceOf } from '../rfc/rfc.ts';
import { type State, type Question, type Resolution, undecidedQuestions } from '../state/state.ts';
import { plainText, firstLine } from '../kit/text.ts';
import { msBetween } from './figures.ts';
import type { Rfc } from '../state/items.ts';
import type { EffectiveStatus, Urgency, WorkKind } from '../kit/words.ts';

interface WaitsOn {
  readonly id: string;
  readonly kind: 'question' | 'rfc';
  readonly name: string;
  readonly since: string;
  readonly waiting_ms: number;
  /** Whether its agent stopped for it. One that continues on an assumption, or on work that is not held, did not. */
  readonly stops: boolean;
  /** Number of held items, dependants included; 0 if it holds nothing. */
  readonly holds: number;
}

export interface AgentNow {
  readonly agent_id: string;
  readonly label: string;
  /** Longest wait first. */
  readonly waits_on: readonly WaitsOn[];
  readonly longest_wait_ms: number | null;
  /** Time in which the agent was stopped for a human since it began, by any number of items; null if there was none. */
  readonly waited_ms: number | null;
  readonly questions: QuestionsEnded;
  /** Items in progress, latest first; `held` if the item is held. */
  readonly doing: readonly {
    readonly id: string;
    readonly title: string;
    readonly step: string | null;
    readonly held: boolean;
  }[];
  /** Decisions that the agent has not received yet. */
  readonly unacknowledged: readonly {
    readonly id: string;
    readonly name: string;
    readonly decided_at: string;
    readonly since_ms: number;
  }[];
}

export interface Unacknowledged {
  readonly agent_id: string;
  readonly id: string;
  readonly name: string;
  readonly decided_at: string;
}

export interface AgentsNow {
  readonly agents: readonly AgentNow[];
}

interface AgentsOptions {
  readonly unacknowledged: readonly Unacknowledged[];
  /** ISO 8601. */
  readonly now: string;
}

/** Stopped agents first, then those that wait otherwise, longest wait first; then active ones; then the rest by name. */
export function agentsNow(state: State, { unacknowledged, now }: AgentsOptions): AgentsNow {
  const reachOf = cascades(state);
  const byItem = holdersByItem(state);
  const waited = waitedBy(state, now);
  const asked = Map.groupBy(state.questions.values(), ({ asker }) => asker.id);
  const waiting = [
    ...undecidedQuestions(state),
    ...[...state.rfcs.values()].filter((rfc) => isRfcWaiting(rfc) || state.holders.has(rfc.id)),
  ];
  const waits = Map.groupBy(waiting, ({ asker }) => asker.id);
  const waitOf = (one: Holder): WaitsOn => {
    const since = isRfc(one) ? sinceOf(one) : one.raisedAt;
    return {
      id: one.id,
      kind: isRfc(one) ? 'rfc' : 'question',
      name: firstLine(plainText(holderName(one)), 200),
      since,
      waiting_ms: msBetween(since, now),
      stops: stops(state, one, byItem),
      holds: state.holders.has(one.id) ? reachOf(one).open.length : 0,
    };
  };
  const ids = new Set([...state.agents.keys(), ...unacknowledged.map(({ agent_id }) => agent_id), ...waits.keys()]);
  const agents = [...ids].map((id): AgentNow => {
    const waits_on = (waits.get(id) ?? []).map(waitOf).sort((a, b) => b.waiting_ms - a.waiting_ms);
    return {
      agent_id: id,
      label: state.agents.get(id)?.label ?? id,
      waits_on,
      longest_wait_ms: waits_on[0]?.waiting_ms ?? null,
      waited_ms: waited.get(id) ?? null,
      questions: questionsEnded(asked.get(id) ?? []),
      doing: [...state.work.values()]
        .filter(({ assignee, status }) => assignee === id && status === 'in_progress')
        .sort((a, b) => b.startOrder - a.startOrder)
        .map((item) => ({
          id: item.id,
          title: item.title,
          step: item.step,
          held: blocksOf(state, item.id, byItem).length > 0,
        })),
      unacknowledged: unacknowledged
        .filter(({ agent_id }) => agent_id === id)
        .map(({ id: decided, name, decided_at }) => ({
          id: decided,
          name: firstLine(plainText(name), 200),
          decided_at,
          since_ms: msBetween(decided_at, now),
        })),
    };
  });
  return { agents: agents.sort(byWait) };
}

function stops(state: State, one: Holder, byItem: Map<string, Holder[]>): boolean {
  if (!isRfc(one)) return one.mode === 'sync';
  const work = state.holders.has(one.id) ? currentWork(state, one.asker.id) : null;
  return work !== null && blocksOf(state, work.id, byItem).some(({ holder }) => holder.id === one.id);
}

/** Times that overlap are counted once. */
function waitedBy(state: State, now: string): Map<string, number> {
  const spans = [
    ...[...state.questions.values()]
      .filter(({ mode }) => mode === 'sync')
      .map((one) => ({ agent: one.asker.id, from: one.raisedAt, to: one.resolution?.at ?? now })),
    ...[...state.rfcs.values()]
      .filter(({ workflows, tasks }) => workflows.length + tasks.length > 0)
      .flatMap((one) => {
        const wait = rfcWait(one);
        return wait ? [{ agent: one.asker.id, from: wait.since, to: wait.until ?? now }] : [];
      }),
  ].sort((a, b) => (a.from < b.from ? -1 : 1));
  const total = new Map<string, number>();
  const until = new Map<string, string>();
  for (const { agent, from, to } of spans) {
    const done = until.get(agent) ?? from;
    const start = from > done ? from : done;
    total.set(agent, (total.get(agent) ?? 0) + msBetween(start, to > start ? to : start));
    until.set(agent, to > done ? to : done);
  }
  return total;
}

function byWait(a: AgentNow, b: AgentNow): number {
  const stopped = ({ waits_on }: AgentNow) => Number(waits_on.some((one) => one.stops));
  return (
    stopped(b) - stopped(a) ||
    (b.longest_wait_ms ?? -1) - (a.longest_wait_ms ?? -1) ||
    b.doing.length - a.doing.length ||
    (a.agent_id < b.agent_id ? -1 : 1)
  );
}

// How an agent's questions ended: a measure of how well it asks.

interface QuestionsEnded {
  /** Answered without a question back. */
  readonly answered_in_one_go: number;
  /** A human had to ask back, whatever the outcome. */
  readonly asked_back: number;
  readonly cancelled: number;
  /** A human let it continue without an answer, or the agent withdrew it. */
  readonly not_needed: number;
}

/** A question that was asked back counts there, and again where it ended unless it was answered. */
export function questionsEnded(questions: readonly Question[]): QuestionsEnded {
  const count = (isCounted: (one: Question) => boolean) => questions.filter(isCounted).length;
  const ended = (...ways: readonly Resolution['how'][]) =>
    count(({ resolution }) => resolution !== null && ways.includes(resolution.how));
  return {
    answered_in_one_go: count(({ resolution, askBacks }) => resolution?.how === 'answered' && askBacks.length === 0),
    asked_back: count(({ askBacks }) => askBacks.length > 0),
    cancelled: ended('cancelled'),
    not_needed: ended('released', 'withdrawn'),
  };
}

// When the author of an RFC waited for a human, for the figures that sum it.

interface RfcWait {
  readonly since: string;
  /** Null while it waits for a human. */
  readonly until: string | null;
}

/**
 * The wait of the latest submitted revision, because the state has no earlier ones. An amendment stops no work: until a
 * human approves it, this is the wait of the revision in force. Null for a draft, which waits for its author.
 */
function rfcWait(rfc: Rfc): RfcWait | null {
  const { status, waitingSince, approval, ended, revisions } = rfc;
  if (status === 'draft' || waitingSince === null) return null;
  if (approval === null) return { since: waitingSince, until: isRfcWaiting(rfc) ? null : (ended?.at ?? null) };
  const isAmended = approval.revision < revisions.length;
  return { since: isAmended ? approvedRevisionAt(rfc, waitingSince) : waitingSince, until: approval.at };
}

/** The state has no longer when an amended revision was submitted, but when it was written. */
function approvedRevisionAt({ approval, revisions }: Rfc, otherwise: string): string {
  return revisions[(approval?.revision ?? 0) - 1]?.at ?? otherwise;
}

// The dependency graph of holds: what is held, and by what.

interface ImpactHolder {
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

interface ImpactNode {
  readonly id: string;
  readonly kind: 'question' | 'rfc' | WorkKind;
  readonly name: string;
  /** Null for a holder. */
  readonly status: EffectiveStatus | null;
}

/** `from` blocks `to`: a holder blocks its work, a workflow its steps, an item its dependants. */
interface ImpactEdge {
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
