/** What time does to requests: the sweep writes these records; nothing else happens automatically. */
import { breachOf, reassignProblem, slaDue, actsFor, breached, isHumans, isHumansTurn } from './request.ts';
import type { RecordInput } from '../records/records.ts';
import type { OpenRequest } from '../state/items.ts';
import type { State, CurrentState } from '../state/state.ts';
import type { Breach } from '../records/request.ts';

/** The records due for one request at `now`, in order; empty when nothing is due. */
export function dueRecords(state: State, request: OpenRequest, now: string): RecordInput[] {
  const records: RecordInput[] = [];
  const { id } = request;
  let current = request;
  const waiting = current.status === 'created' || current.status === 'deferred';
  if (waiting && current.availableAt <= now) {
    records.push({ kind: 'request.moved', v: 1, id, act: current.status === 'created' ? 'release' : 'resume' });
    current = { ...current, status: 'pending', alerted: current.alerted.filter((breach) => breach !== 'response') };
  }
  const breach = breachOf(current, now);
  if (breach !== null) records.push({ kind: 'request.alerted', v: 1, id, breach });
  if (breach === 'completion') records.push(...byPolicy(state, current, now));
  if (current.status === 'pending' && current.dueAt !== null && current.dueAt <= now)
    records.push({ kind: 'request.moved', v: 1, id, act: 'expire' });
  return records;
}

/** Escalates or reassigns an accepted, overdue request; escalates if it cannot be reassigned. */
function byPolicy(state: State, request: OpenRequest, now: string): RecordInput[] {
  const { overdue } = state.policy;
  const { id } = request;
  if (overdue === undefined || overdue.action === 'alert') return [];
  const to = overdue.action === 'reassign' ? overdue.reassignTo : undefined;
  // After its date, an offer would expire at once and the request would be lost.
  const inTime = request.dueAt === null || request.dueAt > now;
  if (to !== undefined && inTime && reassignProblem(state, request, to) === null)
    return [{ kind: 'request.reassigned', v: 1, id, target: to }];
  return request.escalated ? [] : [{ kind: 'request.escalated', v: 1, id }];
}

/** When the next of these requests is due after `now` (ISO 8601); null when none ever is. */
export function nextRequestTime(requests: Iterable<OpenRequest>, now: string): string | null {
  let next: string | null = null;
  for (const request of requests)
    for (const at of timesOf(request)) if (at > now && (next === null || at < next)) next = at;
  return next;
}

function timesOf(request: OpenRequest): string[] {
  const { status, availableAt, dueAt, alerted } = request;
  if (status === 'created' || status === 'deferred') return [availableAt];
  const sla = slaDue(request);
  const agreed = sla && !alerted.includes(sla.breach) ? [sla.at] : [];
  return status === 'pending' && dueAt !== null ? [...agreed, dueAt] : agreed;
}

// Requests waiting for an agent in the inboxes of the responsibilities it acts for.

/** Requests that this agent can accept, defer or reject now: by priority, then oldest first. */
export function requestsWaitingFor({ requests, responsibilities }: CurrentState, agent: string): OpenRequest[] {
  if (requests.size === 0) return [];
  const doer = { kind: 'agent', id: agent, signed: false } as const;
  const mine = new Set([...responsibilities.values()].filter((one) => actsFor(doer, one)).map(({ id }) => id));
  if (mine.size === 0) return [];
  const waiting = [...requests.values()].filter(({ status, target }) => status === 'pending' && mine.has(target));
  // Ids count up, and the map has them in their order: a stable sort keeps the oldest first.
  return waiting.sort((a, b) => a.priority - b.priority);
}

// What notifies a human about a request: a new one, and each agreed time that passes unmet.

export interface HumanNotice {
  readonly kind: 'new' | Breach;
  /** Differs each time that the human is to be notified: a request that resumes or is reassigned notifies again. */
  readonly name: string;
}

/** Null when the human need not know, or made the request. */
export function humanNoticeOf(state: State, request: OpenRequest): HumanNotice | null {
  const { id, status, availableAt, acceptedAt } = request;
  const isTheirs = isHumansTurn(state, request);
  const isFromHuman = isHumans(state.responsibilities.get(request.origin));
  const kind = breached(request) ?? (status === 'pending' ? 'new' : null);
  if (kind === null || !(isTheirs || isFromHuman) || (kind === 'new' && isFromHuman)) return null;
  const from = kind === 'completion' && acceptedAt !== null ? acceptedAt : availableAt;
  return { kind, name: `${id}-${kind}-${String(Date.parse(from))}` };
}
