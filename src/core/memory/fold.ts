/** Effects of event records. The state keeps only small headers; contents are rows of the projection. */
import { closingProblem, foldMutationsMs, isCriticalWarning, mutationKey, nextEventId, sameMutation } from './event.ts';
import type { EventClosed, EventPosted } from '../records/event.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { Effects, Folding } from '../state/effect.ts';
import type { EventHeader, State } from '../state/state.ts';

type Posting = Omit<EventPosted, 'kind'>;
type Closing = Pick<EventClosed, 'id' | 'how' | 'reason' | 'by'>;

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
  const problem = closingProblem(state, record);
  if (problem !== null) throw new Inadmissible(problem);
  return requireEvent(state, record.id);
}

function requireEvent(state: State, id: string): EventHeader {
  const event = state.events.get(id);
  if (!event) throw new Inadmissible(`there is no event ${id}`);
  return event;
}
