/** Effects of request records. All of them pass the same guardrails that heads apply (request.ts). */
import { Inadmissible, requireNone, type Effects, type Folding } from '../state/change.ts';
import type { PlainOf } from '../records/plain.ts';
import {
  askedContent,
  breachOf,
  creationProblem,
  guardrailProblem,
  idempotencyOf,
  isSettled,
  moveProblem,
  nextRequestId,
  reassignProblem,
  requestRules,
  stepProblem,
  type Doer,
  type RequestAct,
} from './request.ts';
import {
  type RequestCreated,
  type RequestMoved,
  type RequestRecord,
  type StepRecorded,
  escalatedPriority,
} from '../records/request.ts';
import type { OpenRequest } from '../state/items.ts';
import type { State } from '../state/state.ts';

export const requestEffects: Effects<RequestRecord['kind']> = {
  'responsibility.registered': (at, { id, responsibilityKind: kind, name, agents: also }) => {
    const { state, change, line } = at;
    const doer = doerOf(at);
    if (doer.kind !== 'agent') throw new Inadmissible('only an agent registers itself');
    if (state.responsibilities.has(id)) throw new Inadmissible(`${id} is already registered`);
    const agents = [...new Set([doer.id, ...also])];
    const who = { registeredBy: doer.id, registeredAt: line.time };
    change.set(state.responsibilities, id, { id, kind, name, agents, ...who });
  },
  'responsibility.joined': (at, { id, agents }) => {
    const { state, change } = at;
    const doer = doerOf(at);
    const known = state.responsibilities.get(id);
    if (!known) throw new Inadmissible(`there is no responsibility ${id}`);
    if (known.kind === 'human' || known.kind === 'steward')
      throw new Inadmissible(`only a human can appoint who acts for ${id}`);
    if (doer.kind !== 'agent' || !known.agents.includes(doer.id))
      throw new Inadmissible(`${doer.id} does not act for ${id}: someone who does must add it`);
    change.set(state.responsibilities, id, { ...known, agents: [...new Set([...known.agents, ...agents])] });
  },
  'request.created': (at, record) => {
    create(at, record, doerOf(at));
  },
  'request.refused': requireRequest,
  'request.noticeOffered': requireRequest,
  'request.noticeAcknowledged': requireRequest,
  'request.moved': (at, record) => {
    move(at, record, doerOf(at));
  },
  'request.stepRecorded': (at, record) => {
    recordStep(at, record, doerOf(at));
  },
  'request.acknowledged': (at, { id }) => {
    requireAllowed(at.state, id, 'acknowledge', doerOf(at));
  },
  'request.attemptFailed': (at, { id }) => {
    const request = requireAllowed(at.state, id, 'report a failure', doerOf(at));
    at.change.set(at.state.requests, id, { ...request, attempts: request.attempts + 1 });
  },
  'request.workMade': (at, { id, work }) => {
    const request = requireAllowed(at.state, id, 'make work', doerOf(at));
    const stranger = work.find((item) => !((at.state.work.get(item)?.createdAt ?? '') >= (request.acceptedAt ?? '')));
    if (stranger !== undefined)
      throw new Inadmissible(`${stranger} was not registered for ${id}: a request makes its own work items`);
  },
  'request.alerted': (at, record) => {
    const { state, change, line } = at;
    const request = requireAllowed(state, record.id, 'alert', doerOf(at));
    if (breachOf(request, line.time) !== record.breach)
      throw new Inadmissible(`there is no unreported ${record.breach} of ${request.id}`);
    change.set(state.requests, request.id, { ...request, alerted: [...request.alerted, record.breach] });
  },
  'request.escalated': (at, { id }) => {
    const request = overdue(at, id, 'escalate');
    if (request.escalated) throw new Inadmissible(`${id} was escalated before`);
    at.change.set(at.state.requests, id, { ...request, escalated: true, priority: escalatedPriority });
  },
  'request.reassigned': reassign,
};

function requireRequest({ state }: Folding, { id }: { readonly id: string }): void {
  if (!state.requests.has(id) && !state.settledRequests.has(id)) throw new Inadmissible(`there is no request ${id}`);
}

function doerOf({ line }: Folding): Doer {
  return { kind: line.actor.kind, id: line.actor.id, signed: false };
}

export function create(
  { state, change, line, trust }: Folding,
  record: Omit<RequestCreated, 'kind'>,
  doer: Doer,
): void {
  const expected = nextRequestId(state);
  if (record.id !== expected) throw new Inadmissible(`the next request is ${expected}, not ${record.id}`);
  requireNone(creationProblem(state, record, doer)?.why ?? null);
  const { id, ask, origin, target, priority, availableAt } = record;
  if (record.idempotencyKey !== undefined) {
    const key = idempotencyOf(origin, record.idempotencyKey);
    const known = state.requestKeys.get(key);
    if (known !== undefined) throw new Inadmissible(`${known} already has this idempotency key`);
    change.set(state.requestKeys, key, id);
  }
  const bundles = ask.type === 'ingest_new_context' ? ask.payload.bundle_ids : [];
  for (const bundle of bundles) if (!state.bundles.has(bundle)) change.set(state.bundles, bundle, false);
  change.set(state.requests, id, {
    id,
    type: ask.type,
    origin,
    target,
    status: availableAt > line.time ? 'created' : 'pending',
    priority,
    content: trust.hash(askedContent(record)),
    availableAt,
    dueAt: record.dueAt ?? null,
    responseSeconds: record.responseSeconds ?? null,
    completionSeconds: record.completionSeconds ?? null,
    acceptedAt: null,
    attempts: 0,
    bundles,
    steps: [],
    alerted: [],
    escalated: false,
  });
}

export function move({ state, change, line }: Folding, record: Omit<RequestMoved, 'kind'>, doer: Doer): void {
  const now = line.time;
  const request = requireAllowed(state, record.id, record.act, doer);
  requireNone(moveProblem(request, record, now));
  const to = requestRules[record.act].to ?? request.status;
  if (isSettled(to)) {
    change.unset(state.requests, request.id);
    change.set(state.settledRequests, request.id, to);
    return;
  }
  change.set(state.requests, request.id, {
    ...request,
    status: to as OpenRequest['status'],
    availableAt: record.until ?? request.availableAt,
    // Acceptance is the first attempt; each reported failure starts another.
    ...(record.act === 'accept' ? { acceptedAt: now, attempts: request.attempts + 1 } : {}),
    // A resumed request needs a new response.
    ...(record.act === 'resume' ? { alerted: request.alerted.filter((breach) => breach !== 'response') } : {}),
  });
}

export function recordStep({ state, change }: Folding, record: Omit<StepRecorded, 'kind'>, doer: Doer): void {
  const request = requireAllowed(state, record.id, 'record a step', doer);
  requireNone(stepProblem(state, request, record));
  const steps = [...new Set([...request.steps, record.step])];
  change.set(state.requests, request.id, { ...request, steps });
  if (steps.includes('normalise') && steps.includes('lineage'))
    for (const bundle of request.bundles) change.set(state.bundles, bundle, true);
}

/** An overdue request with its alert already sent; what follows depends on the human's policy. */
function overdue(at: Folding, id: string, act: 'escalate' | 'reassign'): OpenRequest {
  const request = requireAllowed(at.state, id, act, doerOf(at));
  if (!request.alerted.includes('completion')) throw new Inadmissible(`${id} is not overdue`);
  return request;
}

function reassign(at: Folding, record: PlainOf<'request.reassigned'>): void {
  const { state, change, line } = at;
  const request = overdue(at, record.id, 'reassign');
  if (state.policy.overdue?.action !== 'reassign' || state.policy.overdue.reassignTo !== record.target)
    throw new Inadmissible(`no human's policy gives overdue requests to ${record.target}`);
  const problem = reassignProblem(state, request, record.target);
  if (problem !== null) throw new Inadmissible(`${request.id} cannot be reassigned: ${problem}`);
  change.set(state.requests, request.id, {
    ...request,
    target: record.target,
    ...offeredFields(line.time),
  });
}

/** The new target has not agreed yet: it accepts, defers or rejects, with the full agreed times. */
function offeredFields(now: string): Pick<OpenRequest, 'status' | 'availableAt' | 'acceptedAt' | 'alerted'> {
  return { status: 'pending', availableAt: now, acceptedAt: null, alerted: [] };
}

/**
 * The request, if the guardrails allow the act.
 * @throws Inadmissible
 */
function requireAllowed(state: State, id: string, act: RequestAct, doer: Doer): OpenRequest {
  const problem = guardrailProblem(state, id, act, doer);
  const request = state.requests.get(id);
  if (problem || !request) throw new Inadmissible(problem?.why ?? `there is no open request ${id}`);
  return request;
}
