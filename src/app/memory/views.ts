/** Views of project memory for lists and forms: an event with its relations and lineage. */
import { AppError } from '../workspace/errors.ts';
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { postedContent } from '../../core/memory/event.ts';
import type { Proposal } from '../../core/state/state.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { EventStatus } from '../../core/kit/words.ts';
import { itemOf } from '../../store/rows/read.ts';
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
  const found = itemOf(view.rows, 'event', id);
  if (!found) return null;
  const { related, ...event } = found;
  return {
    ...event,
    related_ids: [...new Set(related)].sort((a, b) => numberOf(a) - numberOf(b)),
    lineage: lineage(view, event),
    proposal: view.state.proposals.get(id) ?? null,
  };
}

/** @throws AppError `not_found` */
export function requireEventView(view: View, id: string): EventView {
  const event = eventView(view, id);
  if (!event) throw new AppError('not_found', `there is no event ${id}`);
  return event;
}

export function eventNamed(view: View, id: string): BriefedEvent | null {
  const found = itemOf(view.rows, 'event', id);
  if (!found) return null;
  const { related: _, ...event } = found;
  return event;
}

/** Humans' events that agents propose to close, oldest proposal first. */
export function proposedEvents(view: View): EventView[] {
  return [...view.state.proposals.keys()].map((id) => eventView(view, id)).filter((event) => event !== null);
}

/** Hash of an event's content, author and time, which decisions about it are bound to. */
export function contentHash({ type, text, priority, scopes, author, posted_at }: BriefedEvent): string {
  return hashOf(postedContent({ type, text, priority, scopes: [...scopes] }, author, posted_at));
}

const linksAtMost = 50;

/** Predecessors and successors of an event. */
export function lineage(view: View, event: BriefedEvent): LinkedEvent[] {
  const before = new Set<number>([event.number]);
  for (const number of before) {
    if (before.size > linksAtMost) break;
    // It refers to each of them.
    const related = itemOf(view.rows, 'event', `E-${String(number)}`)?.related ?? [];
    for (const id of related.toSorted((a, b) => numberOf(b) - numberOf(a)))
      if (view.state.events.get(id)?.successor === `E-${String(number)}`) before.add(numberOf(id));
  }
  const chain = [...before].sort((a, b) => a - b).filter((number) => number !== event.number);
  const after: number[] = [];
  // Most have none: then the headers of all events need not be loaded.
  let next = event.superseded_by_event_id;
  for (; next !== null && after.length < linksAtMost; next = view.state.events.get(next)?.successor ?? null)
    after.push(numberOf(next));
  if (chain.length + after.length === 0) return [];
  return [...chain, event.number, ...after]
    .map((number) => eventNamed(view, `E-${String(number)}`))
    .filter((one) => one !== null)
    .map(({ id, status, superseded_by_event_id, text }) => ({
      id,
      status,
      superseded_by_event_id,
      text: firstLine(text),
    }));
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
