/** Rules of a single event of project memory. */
import type { Trust } from '../records/decision.ts';
import type { EventClosed, EventPosted } from '../records/plain.ts';
import type { EventHeader, State } from '../state/state.ts';
import { sameTextKey } from '../kit/text.ts';
import { priorityRank } from '../kit/words.ts';
import { Inadmissible, requireNone, type Effects, type Folding } from '../state/change.ts';

/** Period in which the same mutation is recorded once. Milliseconds. */
const foldMutationsMs = 30 * 60_000;

export function nextEventId(state: State): string {
  return `E-${String(state.events.size + 1)}`; // the fold admits only consecutive numbers
}

/**
 * The parts of an event that never change, with its author and time. Their hash represents them where texts are not
 * kept.
 */
export function postedContent(
  posted: Pick<EventPosted, 'type' | 'text' | 'priority' | 'scopes'>,
  author: string,
  at: string,
): object {
  const { type, text, priority, scopes } = posted;
  return { type, text, priority, scopes, author, at };
}

/** What a form shows of a new event, and a human signs. */
export function shownPost({
  type,
  text,
  priority,
  scopes,
}: Omit<EventPosted, 'kind' | 'v' | 'id' | 'related'>): object {
  return { type, text, priority, scopes };
}

/**
 * What a human is shown of an event and signs when closing it or declining to.
 * @param content hash of its content
 */
export function shownEvent(
  state: State,
  id: string,
  content: string,
  status = state.events.get(id)?.status ?? null,
): object {
  return { id, content, status, proposal: state.proposals.get(id) ?? null };
}

export function mutationKey(hash: Trust['hash'], { scopes, text }: Pick<EventPosted, 'scopes' | 'text'>): string {
  return hash([[...new Set(scopes)].sort(), sameTextKey(text)]);
}

/** The active mutation with this key from less than 30 minutes before `now`; null without one. */
export function sameMutation(state: State, key: string, now: string): string | null {
  const found = state.recentMutations.get(key);
  if (!found || state.events.get(found.id)?.status !== 'active') return null;
  return Math.abs(Date.parse(now) - Date.parse(found.at)) < foldMutationsMs ? found.id : null;
}

type Closing = Pick<EventClosed, 'id' | 'how' | 'reason' | 'by'>;

export function closingProblem(state: State, closing: Closing): string | null {
  return formProblem(state, closing) ?? graveProblem(state, closing);
}

/** A successor must be active and at least as severe, so that nothing lesser silences a warning. */
function graveProblem(state: State, { id, by }: Closing): string | null {
  const event = state.events.get(id);
  const successor = state.events.get(by ?? '');
  if (!event || !successor) return null;
  if (successor.status !== 'active') {
    const head = headOf(state, successor);
    const instead = head === null ? 'post a new event and name that' : `name ${head}, which took its place`;
    return `${by ?? ''} is ${successor.status}: only an active event takes the place of another; ${instead}`;
  }
  if (isCriticalWarning(event) && !isCriticalWarning(successor))
    return `${id} is a critical warning: only another critical warning takes its place. If it no longer applies, resolve it with a reason`;
  if (priorityRank(successor.priority) > priorityRank(event.priority))
    return `${id} is of priority ${event.priority}: ${by ?? ''}, of priority ${successor.priority}, cannot take its place. If it no longer applies, resolve it with a reason`;
  return null;
}

/** The active end of a superseded event's chain; null where that end is closed. */
function headOf(state: State, from: EventHeader): string | null {
  let [id, event]: [string | null, EventHeader | undefined] = [null, from];
  while (event?.successor != null) [id, event] = [event.successor, state.events.get(event.successor)];
  return event?.status === 'active' ? id : null;
}

function formProblem(state: State, { id, how, reason, by }: Closing): string | null {
  const event = state.events.get(id);
  if (!event) return `there is no event ${id}`;
  if (event.status !== 'active')
    return `${id} is already ${event.status}${event.successor === null ? '' : ` by ${event.successor}`}: post a new event instead`;
  if (how === 'resolved') {
    if (by !== undefined) return 'a resolved event has no successor: supersede it instead';
    return reason === undefined ? 'resolving needs a reason' : null;
  }
  if (by === undefined) return 'superseding needs the event that replaces it';
  if (by === id) return `${id} cannot supersede itself`;
  if (!state.events.has(by)) return `there is no event ${by}`;
  return leadsTo(state, by, id) ? `${by} was itself superseded by ${id}` : null;
}

function leadsTo(state: State, from: string, target: string): boolean {
  for (let at: EventHeader | undefined = state.events.get(from); at; at = state.events.get(at.successor ?? ''))
    if (at.successor === target) return true;
  return false;
}

/** Events at the start of every briefing. */
export function isCriticalWarning({ type, priority }: Pick<EventHeader, 'type' | 'priority'>): boolean {
  return type === 'warning' && priority === 'critical';
}

// Effects of event records. The state keeps only small headers; contents are rows of the projection.

type Posting = Omit<EventPosted, 'kind'>;

/** For agents and the system. Humans' events are signed, both posting and closing. */
export const eventEffects: Effects<'event.posted' | 'event.closed' | 'event.closeProposed'> = {
  'event.posted': (at, record) => {
    refuseHumans(at);
    postEvent(at, record, 'agent');
  },
  'event.closed': (at, record) => {
    refuseHumans(at);
    const event = requireClosable(at.state, record);
    if (event.author === 'human')
      throw new Inadmissible(`${record.id} was posted by a human: only a human closes it, an agent may propose it`);
    closeEvent(at, record);
  },
  'event.closeProposed': (at, record) => {
    const { state, change, line } = at;
    refuseHumans(at);
    const event = requireClosable(state, record);
    if (event.author !== 'human')
      throw new Inadmissible(`${record.id} was posted by an agent: it can be closed directly`);
    if (state.proposals.has(record.id)) throw new Inadmissible(`there is already a proposal to close ${record.id}`);
    const { how, reason = null, by = null } = record;
    change.set(state.proposals, record.id, { how, reason, by, agent: line.actor.id, at: line.time });
  },
};

function refuseHumans({ line }: Folding): void {
  if (line.actor.kind === 'human') throw new Inadmissible('needs a signature when a human does it');
}

export function postEvent(at: Folding, record: Posting, author: EventHeader['author']): void {
  const { state, change } = at;
  const expected = nextEventId(state);
  if (record.id !== expected) throw new Inadmissible(`the next event is ${expected}, not ${record.id}`);
  const unknown = record.related.find((id) => !state.events.has(id));
  if (unknown !== undefined) throw new Inadmissible(`there is no event ${unknown}`);
  if (record.type === 'mutation') noteMutation(at, record);
  const { id, type, priority } = record;
  change.set(state.events, id, { type, priority, author, status: 'active', successor: null });
  if (isCriticalWarning(record)) change.add(state.criticalWarnings, id);
}

/** Remembers a mutation for 30 minutes, and drops older entries to stay small. */
function noteMutation({ state, change, line, trust }: Folding, record: Posting): void {
  const now = line.time;
  const key = mutationKey((value) => trust.hash(value), record);
  const same = sameMutation(state, key, now);
  if (same !== null) throw new Inadmissible(`${same} says the same and is less than 30 minutes old`);
  for (const [old, { at }] of state.recentMutations) {
    if (Date.parse(now) - Date.parse(at) < foldMutationsMs) break;
    change.unset(state.recentMutations, old);
  }
  change.unset(state.recentMutations, key);
  change.set(state.recentMutations, key, { id: record.id, at: now });
}

export function closeEvent({ state, change }: Folding, { id, how, by }: Closing): void {
  const event = requireEvent(state, id);
  change.set(state.events, id, { ...event, status: how, successor: how === 'superseded' ? (by ?? null) : null });
  change.drop(state.criticalWarnings, id);
  change.unset(state.proposals, id);
}

function requireClosable(state: State, record: Closing): EventHeader {
  requireNone(closingProblem(state, record));
  return requireEvent(state, record.id);
}

function requireEvent(state: State, id: string): EventHeader {
  const event = state.events.get(id);
  if (!event) throw new Inadmissible(`there is no event ${id}`);
  return event;
}
