/** Rules of a single event of project memory. */
import type { Trust } from '../records/decision.ts';
import type { EventClosed, EventPosted } from '../records/event.ts';
import type { EventHeader, State } from '../state/state.ts';
import { sameTextKey } from '../kit/text.ts';
import { hasFormat, ruleFormat } from '../state/askForFormat.ts';
import { priorityRank } from '../kit/words.ts';

/** Minutes within which the same mutation is not told twice. */
export const foldMutationsMs = 30 * 60_000;

export function nextEventId(state: State): string {
  return `E-${String(state.events.size + 1)}`; // the fold admits no other number, so the count is the last one
}

/** What of an event never changes, with who posted it and when. Its hash stands for it where texts are not kept. */
export function postedContent(
  posted: Pick<EventPosted, 'type' | 'text' | 'priority' | 'scopes'>,
  author: string,
  at: string,
): object {
  const { type, text, priority, scopes } = posted;
  return { type, text, priority, scopes, author, at };
}

/** What a form shows of a new event, and a human signs for. */
export function shownPost({
  type,
  text,
  priority,
  scopes,
}: Omit<EventPosted, 'kind' | 'v' | 'id' | 'related'>): object {
  return { type, text, priority, scopes };
}

/** Exactly what a human is shown of an event and signs for when closing it or declining to. @param content hash of its content */
export function shownEvent(state: State, id: string, content: string): object {
  return { id, content, status: state.events.get(id)?.status ?? null, proposal: state.proposals.get(id) ?? null };
}

/** The key under which two mutations are the same: same places, same normalised text, whoever posted them. */
export function mutationKey(hash: Trust['hash'], { scopes, text }: Pick<EventPosted, 'scopes' | 'text'>): string {
  return hash([[...new Set(scopes)].sort(), sameTextKey(text)]);
}

/** The active mutation that said the same less than 30 minutes before `now`; null when there is none. */
export function sameMutation(state: State, key: string, now: string): string | null {
  const found = state.recentMutations.get(key);
  if (!found || state.events.get(found.id)?.status !== 'active') return null;
  return Math.abs(Date.parse(now) - Date.parse(found.at)) < foldMutationsMs ? found.id : null;
}

type Closing = Pick<EventClosed, 'id' | 'how' | 'reason' | 'by'>;

/** Why an event cannot be closed like this; null when it can. */
export function closingProblem(state: State, closing: Closing): string | null {
  return formProblem(state, closing) ?? graveProblem(state, closing);
}

/** The same for a record: what journals say from before the rule on successors stands. */
export function closingRecordProblem(state: State, closing: Closing): string | null {
  return hasFormat(state, ruleFormat) ? closingProblem(state, closing) : formProblem(state, closing);
}

/** Only what is in force and at least as grave takes an event's place: so no warning is put out by something lesser. */
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

/** The active end of the chain that a superseded event belongs to; null where that end is closed. */
function headOf(state: State, from: EventHeader): string | null {
  let [id, event]: [string | null, EventHeader | undefined] = [null, from];
  while (event?.successor != null) [id, event] = [event.successor, state.events.get(event.successor)];
  return event?.status === 'active' ? id : null;
}

function formProblem(state: State, { id, how, reason, by }: Closing): string | null {
  const event = state.events.get(id);
  if (!event) return `there is no event ${id}`;
  if (event.status !== 'active')
    return `${id} is ${event.status}${event.successor === null ? '' : ` by ${event.successor}`} already: post a new event instead`;
  if (how === 'resolved') {
    if (by !== undefined) return 'a resolved event has no successor: supersede it instead';
    return reason === undefined ? 'resolving needs a reason' : null;
  }
  if (by === undefined) return 'superseding needs the event that takes its place';
  if (by === id) return `${id} cannot supersede itself`;
  if (!state.events.has(by)) return `there is no event ${by}`;
  return leadsTo(state, by, id) ? `${by} was itself superseded by ${id}` : null;
}

function leadsTo(state: State, from: string, target: string): boolean {
  for (let at: EventHeader | undefined = state.events.get(from); at; at = state.events.get(at.successor ?? ''))
    if (at.successor === target) return true;
  return false;
}

/** The ones that every briefing begins with. */
export function isCriticalWarning({ type, priority }: Pick<EventHeader, 'type' | 'priority'>): boolean {
  return type === 'warning' && priority === 'critical';
}
