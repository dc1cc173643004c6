/** Views of project memory for lists and forms: an event with its relations and lineage. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { postedContent } from '../../core/memory/event.ts';
import type { Proposal } from '../../core/state/state.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { EventStatus } from '../../core/kit/words.ts';
import { eventsByNumber } from '../../store/rows/eventRows.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';

export interface LinkedEvent {
  readonly id: string;
  readonly status: EventStatus;
  /** Its successor, or null. */
  readonly superseded_by_event_id: string | null;
  /** Its first line. */
  readonly text: string;
}

export interface EventView extends BriefedEvent {
  readonly related_ids: readonly string[];
  /** Predecessors and successors, oldest first, including the event itself; empty without either. */
  readonly lineage: readonly LinkedEvent[];
  /** An agent's open proposal to close it. */
  readonly proposal: Proposal | null;
}

/** Null for an unknown id. */
export function eventView(view: View, id: string): EventView | null {
  const event = eventNamed(view, id);
  if (!event) return null;
  const related = view.rows.query.selectFrom('event_relations').select('related_id').where('event_id', '=', id);
  return {
    ...event,
    related_ids: view.rows
      .all(related)
      .map(({ related_id }) => related_id)
      .sort((a, b) => numberOf(a) - numberOf(b)),
    lineage: lineage(view, event),
    proposal: view.state.proposals.get(id) ?? null,
  };
}

export function eventNamed(view: View, id: string): BriefedEvent | null {
  return eventsByNumber(view.rows, [numberOf(id)])[0] ?? null;
}

/** Humans' events that agents propose to close, oldest proposal first. */
export function proposedEvents(view: View): EventView[] {
  return [...view.state.proposals.keys()].map((id) => eventView(view, id)).filter((event) => event !== null);
}

/** Hash of an event's content, author and time, which decisions about it are bound to. */
export function contentHash({ type, text, priority, scopes, author, posted_at }: BriefedEvent): string {
  return hashOf(postedContent({ type, text, priority, scopes: [...scopes] }, author, posted_at));
}

/** Longer lineages are truncated. */
const linksAtMost = 50;

/** Predecessors and successors of an event. */
export function lineage(view: View, event: BriefedEvent): LinkedEvent[] {
  const before = new Set<number>([event.number]);
  for (const number of before) {
    if (before.size > linksAtMost) break;
    const predecessors = view.rows.query
      .selectFrom('events')
      .select('number')
      .where('superseded_by_event_id', '=', `E-${String(number)}`)
      .orderBy('number', 'desc')
      .limit(linksAtMost);
    for (const row of view.rows.all(predecessors)) before.add(row.number);
  }
  const chain = [...before].sort((a, b) => a - b).filter((number) => number !== event.number);
  const after: number[] = [];
  // Most have none: then the headers of all events need not be loaded.
  let next = event.superseded_by_event_id;
  for (; next !== null && after.length < linksAtMost; next = view.state.events.get(next)?.successor ?? null)
    after.push(numberOf(next));
  if (chain.length + after.length === 0) return [];
  return eventsByNumber(view.rows, [...chain, event.number, ...after]).map(
    ({ id, status, superseded_by_event_id, text }) => ({ id, status, superseded_by_event_id, text: firstLine(text) }),
  );
}

/** Splits a lineage into branches, each oldest first: two predecessors of one event did not succeed each other. */
export function branchesOf(links: readonly LinkedEvent[]): LinkedEvent[][] {
  const named = new Set(links.map((link) => link.superseded_by_event_id));
  const branchFrom = (first: LinkedEvent): LinkedEvent[] => {
    const branch = [first];
    for (let at: LinkedEvent | undefined = first; at;) {
      const next: string | null = at.superseded_by_event_id;
      at = links.find(({ id }) => id === next);
      if (at) branch.push(at);
    }
    return branch;
  };
  return links.filter(({ id }) => !named.has(id)).map(branchFrom);
}

export function numberOf(id: string): number {
  return Number(id.slice(2));
}
