/** Effects of event records. The state keeps small headers only: contents are rows of the projection. */
import type { Change } from '../state/change.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import {
  closingRecordProblem,
  foldMutationsMs,
  isCriticalWarning,
  mutationKey,
  nextEventId,
  sameMutation,
  shownEvent,
  shownPost,
} from './event.ts';
import type { EventClosed, EventPosted, EventRecord, SignedEventRecord } from '../records/event.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { CountedLine } from '../records/records.ts';
import type { EventHeader, State } from '../state/state.ts';

type Unsigned = Exclude<EventRecord, SignedEventRecord>;
type Posting = Omit<EventPosted, 'kind'>;
type Closing = Pick<EventClosed, 'id' | 'how' | 'reason' | 'by'>;

/** What agents and the system may write. A human's events are signed, both their posting and their closing. */
export function applyEvent(state: State, change: Change, record: Unsigned, line: CountedLine, trust: Trust): void {
  if (line.actor.kind === 'human') throw new Inadmissible('needs a signature when a human does it');
  if (record.kind === 'event.posted') {
    post(state, change, record, 'agent', line, trust);
    return;
  }
  const problem = closingRecordProblem(state, record);
  if (problem !== null) throw new Inadmissible(problem);
  const event = requireEvent(state, record.id);
  if (record.kind === 'event.closed') {
    if (event.author === 'human')
      throw new Inadmissible(`${record.id} was posted by a human: only a human closes it, an agent may propose it`);
    close(state, change, event, record);
    return;
  }
  if (event.author !== 'human')
    throw new Inadmissible(`${record.id} was posted by an agent: it can be closed directly`);
  if (state.proposals.has(record.id)) throw new Inadmissible(`a proposal to close ${record.id} waits already`);
  const { how, reason = null, by = null } = record;
  change.set(state.proposals, record.id, { how, reason, by, agent: line.actor.id, at: line.time });
}

/** Signed ones; that the signature is good and was given for this record has been checked. */
export function applyEventDecision(
  state: State,
  change: Change,
  record: SignedEventRecord,
  payload: DecisionPayload,
  line: CountedLine,
  trust: Trust,
): void {
  if (record.kind === 'event.postedByHuman') {
    if (payload.shown !== trust.hash(shownPost(record)))
      throw new Inadmissible('the event is not what was shown', 'forgery');
    post(state, change, record, 'human', line, trust);
    return;
  }
  const event = requireEvent(state, record.id);
  if (record.kind === 'event.proposalDeclined' && !state.proposals.has(record.id))
    throw new Inadmissible(`no proposal to close ${record.id} waits`);
  const problem = record.kind === 'event.closedByHuman' ? closingRecordProblem(state, record) : null;
  if (problem !== null) throw new Inadmissible(problem);
  if (payload.shown !== trust.hash(shownEvent(state, record.id, record.content)))
    throw new Inadmissible('the event has changed since it was shown', 'forgery');
  if (record.kind === 'event.closedByHuman') close(state, change, event, record);
  else change.unset(state.proposals, record.id);
}

function post(
  state: State,
  change: Change,
  record: Posting,
  author: EventHeader['author'],
  line: CountedLine,
  trust: Trust,
): void {
  const expected = nextEventId(state);
  if (record.id !== expected) throw new Inadmissible(`the next event is ${expected}, not ${record.id}`);
  const unknown = record.related.find((id) => !state.events.has(id));
  if (unknown !== undefined) throw new Inadmissible(`there is no event ${unknown}`);
  if (record.type === 'mutation') noteMutation(state, change, record, line.time, trust);
  const { id, type, priority } = record;
  change.set(state.events, id, { type, priority, author, status: 'active', successor: null });
  if (isCriticalWarning(record)) change.add(state.criticalWarnings, id);
}

/** The same mutation is told once in 30 minutes; what is older is forgotten here, so this stays small. */
function noteMutation(state: State, change: Change, record: Posting, now: string, trust: Trust): void {
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

function close(state: State, change: Change, event: EventHeader, { id, how, by }: Closing): void {
  change.set(state.events, id, { ...event, status: how, successor: how === 'superseded' ? (by ?? null) : null });
  change.drop(state.criticalWarnings, id);
  change.unset(state.proposals, id);
}

function requireEvent(state: State, id: string): EventHeader {
  const event = state.events.get(id);
  if (!event) throw new Inadmissible(`there is no event ${id}`);
  return event;
}
