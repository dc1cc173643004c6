/** Posts and closes events of project memory. For a human's event, an agent can only propose closing. */
import { closingProblem, mutationKey, nextEventId, sameMutation, postedContent } from '../../core/memory/event.ts';
import type { ItemOf } from '../../core/records/parts.ts';
import type { EventClosed, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import { otherText } from '../../core/kit/fields.ts';
import type { Store, View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { registration, type AgentSession } from '../workspace/session.ts';
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { hasOddStar, searchWords, isUnspaced, searchRows, type EventFilter } from '../../store/rows/events.ts';
import { onOneLine, firstLine } from '../../core/kit/text.ts';
import { itemOf } from '../../store/rows/read.ts';

/** Scopes are workspace-relative and cleaned. */
export type PostInput = Omit<Extract<RecordInput, { kind: 'event.posted' }>, 'kind' | 'v' | 'id'>;

export type Closing = Pick<EventClosed, 'how' | 'reason' | 'by'>;

/**
 * Stores an event. The same mutation (same scopes, same text) within 30 minutes is returned instead.
 * @throws AppError `not_found` for an unknown related event, `bad_input` naming the field and its limit
 */
export async function postEvent(
  store: Store,
  session: AgentSession,
  input: PostInput,
): Promise<{ readonly event: EventView; readonly already: boolean }> {
  const { id, already } = await asAgent(async () =>
    store.transact(session.actor, ({ state, now }) => {
      for (const related of input.related ?? []) requireEvent(state, related);
      const same = input.type === 'mutation' ? sameMutation(state, keyOf(input), now) : null;
      if (same !== null) return { records: [], result: { id: same, already: true } };
      const id = nextEventId(state);
      return {
        records: [...registration(state, session), { ...input, kind: 'event.posted', v: 1, id }],
        result: { id, already: false },
      };
    }),
  );
  return { event: requireEventView(store.read(), id), already };
}

/**
 * Resolves or supersedes an event; for a human's event it stores a proposal, and the event stays active.
 * @throws AppError `not_found`; `conflict` when it is closed already or another proposal is open; `bad_input`
 */
export async function closeEvent(
  store: Store,
  session: AgentSession,
  id: string,
  closing: Closing,
): Promise<{ readonly event: EventView; readonly proposed: boolean }> {
  const proposed = await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const event = requireEvent(state, id);
      if (closing.by !== undefined) requireEvent(state, closing.by);
      requireClosable(state, id, closing);
      const kind = event.author === 'human' ? ('event.closeProposed' as const) : ('event.closed' as const);
      const waiting = state.proposals.get(id);
      if (waiting && !isSame(waiting, closing))
        throw new AppError(
          'conflict',
          `${waiting.agent} has already proposed to close ${id}: a human must decide that first`,
        );
      if (waiting) return { records: [], result: true };
      return {
        records: [...registration(state, session), { kind, v: 1, id, ...closing }],
        result: kind === 'event.closeProposed',
      };
    }),
  );
  return { event: requireEventView(store.read(), id), proposed };
}

/** @throws AppError `conflict` for a closed event, else `bad_input` */
export function requireClosable(state: State, id: string, closing: Closing): void {
  const problem = closingProblem(state, { id, ...closing });
  if (problem === null) return;
  throw new AppError(state.events.get(id)?.status === 'active' ? 'bad_input' : 'conflict', problem);
}

export function requireEvent(state: State, id: string) {
  const event = state.events.get(id);
  if (!event) throw new AppError('not_found', `there is no event ${id}`);
  return event;
}

function isSame(
  waiting: { readonly how: string; readonly reason: string | null; readonly by: string | null },
  closing: Closing,
) {
  return (
    waiting.how === closing.how &&
    waiting.by === (closing.by ?? null) &&
    waiting.reason === (closing.reason?.trim() ?? null)
  );
}

/** The key of an event as the fold will see it. */
function keyOf(input: PostInput): string {
  const text = otherText.safeParse(input.text);
  return mutationKey(hashOf, { scopes: [...(input.scopes ?? [])], text: text.success ? text.data : input.text });
}

// The part of a text that contains the search words, on one line, with the words between `**`.

const wordsBefore = 6;
const wordsShown = 24;

/** Null without a match. Ignores case and accents, like the search. */
function snippetOf(text: string, words: readonly string[]): string | null {
  const wanted = words.map((word) => ({ word: foldCase(word), anywhere: isUnspaced(word) }));
  const isHit = (found: string) =>
    wanted.some(({ word, anywhere }) => (anywhere ? found.includes(word) : found.startsWith(word)));
  const found = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    hit: isHit(foldCase(match[0])),
  }));
  const first = found.findIndex(({ hit }) => hit);
  if (first < 0) return null;
  const from = Math.max(0, first - wordsBefore);
  const shown = found.slice(from, from + wordsShown);
  const begin = from === 0 ? 0 : (shown[0]?.start ?? 0);
  const end = from + wordsShown >= found.length ? text.length : (shown.at(-1)?.end ?? text.length);
  let marked = begin > 0 ? '…' : '';
  let at = begin;
  for (const word of shown) {
    if (!word.hit) continue;
    marked += `${text.slice(at, word.start)}**${text.slice(word.start, word.end)}**`;
    at = word.end;
  }
  return onOneLine(marked + text.slice(at, end) + (end < text.length ? '…' : ''));
}

function foldCase(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

export interface FoundEvent extends BriefedEvent {
  /** Text around the words found, which are between `**`; null without words. */
  readonly snippet: string | null;
}

export interface EventSearch extends EventFilter {
  /** Typed text: every word must occur, or begin one that does; no operators. Default: all events. */
  readonly words?: string | undefined;
  readonly limit?: number | undefined;
}

const foundAtMost = 20;

/**
 * With the number of matches, and of older ones that were not ranked because there were too many.
 * @throws AppError `bad_input` for a `*` that would mean nothing
 */
export function searchEvents(view: View, { words = '', limit = foundAtMost, ...filter }: EventSearch) {
  if (hasOddStar(words))
    throw new AppError(
      'bad_input',
      'words: "*" can only end a word, and every word also finds longer ones that begin with it. Leave it out',
    );
  const wanted = searchWords(words);
  // The typed text contains no word, so nothing matches.
  if (wanted.length === 0 && words.trim() !== '') return { events: [], total: 0, unranked: 0 };
  const { events, ...counts } = searchRows(view.rows, wanted, filter, limit);
  return {
    events: events.map(({ related: _, ...event }) => ({ ...event, snippet: snippet(event, wanted) })),
    ...counts,
  };
}

function snippet({ text, resolved_reason: reason }: BriefedEvent, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  return snippetOf(text, words) ?? (reason === null ? null : snippetOf(reason, words));
}

// Views for lists and forms: an event with its relations and lineage.

export interface LinkedEvent extends ItemOf<ReturnType<typeof lineage>> {}

export interface EventView extends NonNullable<ReturnType<typeof eventView>> {}

export function eventView(view: View, id: string) {
  const found = itemOf(view.rows, 'event', id);
  if (!found) return null;
  const { related, ...event } = found;
  return {
    ...event,
    related_ids: [...new Set(related)].sort((a, b) => numberOf(a) - numberOf(b)),
    /** Predecessors and successors, oldest first, including the event itself; empty without either. */
    lineage: lineage(view, event),
    /** An agent's open proposal to close it. */
    proposal: view.state.proposals.get(id) ?? null,
  };
}

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
export function lineage(view: View, event: BriefedEvent) {
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
      ...{ id, status },
      /** Its successor, or null. */
      superseded_by_event_id,
      /** Its first line. */
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
