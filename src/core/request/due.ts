/** What time does to requests: the sweep writes these records; nothing else happens automatically. */
import { breachOf, reassignProblem, slaDue } from './request.ts';
import type { RecordInput } from '../records/records.ts';
import type { OpenRequest } from '../state/request.ts';
import type { State } from '../state/state.ts';

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
