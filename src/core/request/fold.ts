/** Effects of records of requests. Every one of them passes the same guardrails that heads ask (request.ts). */
import type { Change } from '../state/change.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { CountedLine } from '../records/records.ts';
import { hasFormat, ruleFormat } from '../state/askForFormat.ts';
import {
  askedContent,
  breachOf,
  creationProblem,
  guard,
  idempotencyOf,
  isSettled,
  moveProblem,
  nextRequestId,
  reassignProblem,
  requestRules,
  shownAppointment,
  shownRequest,
  stepProblem,
} from './request.ts';
import type { Doer, RequestAct } from './request.ts';
import type { RequestCreated, RequestDecision, RequestMoved, RequestRecord, StepRecorded } from '../records/request.ts';
import type { OpenRequest } from '../state/request.ts';
import { escalatedPriority } from '../records/requestWords.ts';
import type { State } from '../state/state.ts';

export function applyRequest(
  state: State,
  change: Change,
  record: RequestRecord,
  line: CountedLine,
  trust: Trust,
): void {
  const doer: Doer = { kind: line.actor.kind, id: line.actor.id, signed: false };
  switch (record.kind) {
    case 'responsibility.registered': {
      if (doer.kind !== 'agent') throw new Inadmissible('only an agent registers itself');
      if (state.responsibilities.has(record.id)) throw new Inadmissible(`${record.id} is registered already`);
      const { id, responsibilityKind: kind, name } = record;
      const agents = [...new Set([doer.id, ...record.agents])];
      const who = { registeredBy: doer.id, registeredAt: line.time };
      change.set(state.responsibilities, id, { id, kind, name, agents, ...who });
      return;
    }
    case 'responsibility.joined': {
      const known = state.responsibilities.get(record.id);
      if (!known) throw new Inadmissible(`there is no responsibility ${record.id}`);
      if (known.kind === 'human' || known.kind === 'steward')
        throw new Inadmissible(`who acts for ${known.id} is said by a human`);
      if (doer.kind !== 'agent' || !known.agents.includes(doer.id))
        throw new Inadmissible(`${doer.id} does not act for ${known.id}: somebody who does lets others in`);
      change.set(state.responsibilities, known.id, {
        ...known,
        agents: [...new Set([...known.agents, ...record.agents])],
      });
      return;
    }
    case 'request.created':
      create(state, change, record, doer, line.time, trust);
      return;
    case 'request.refused':
      if (!state.requests.has(record.id) && !state.settledRequests.has(record.id))
        throw new Inadmissible(`there is no request ${record.id}`);
      return;
    case 'request.moved':
      move(state, change, record, doer, line.time);
      return;
    case 'request.stepRecorded':
      recordStep(state, change, record, doer);
      return;
    case 'request.acknowledged':
      guarded(state, record.id, 'acknowledge', doer);
      return;
    case 'request.attemptFailed': {
      const request = guarded(state, record.id, 'report a failure', doer);
      change.set(state.requests, request.id, { ...request, attempts: request.attempts + 1 });
      return;
    }
    case 'request.workMade': {
      const request = guarded(state, record.id, 'make work', doer);
      const stranger = record.work.find((id) => !((state.work.get(id)?.createdAt ?? '') >= (request.acceptedAt ?? '')));
      if (stranger !== undefined)
        throw new Inadmissible(`${stranger} was not registered for ${request.id}: a request makes its own work items`);
      return;
    }
    case 'request.alerted':
    case 'request.escalated':
    case 'request.reassigned':
      overdue(state, change, record, doer, line.time);
  }
}

/** Signed ones; that the signature is good and was given for this record has been checked. */
export function decideRequest(
  state: State,
  change: Change,
  record: RequestDecision,
  payload: DecisionPayload,
  line: CountedLine,
  trust: Trust,
): void {
  const doer: Doer = { kind: 'human', id: payload.by, signed: true };
  const requireShown = (shown: object) => {
    if (payload.shown !== trust.hash(shown))
      throw new Inadmissible('this is not what was shown, or it has changed since', 'forgery');
  };
  switch (record.kind) {
    case 'responsibility.appointed': {
      const { id, responsibilityKind: kind, name, agents } = record;
      requireShown(shownAppointment(state, { id, kind, name, agents }));
      const known = state.responsibilities.get(id);
      if (known && known.kind !== kind) throw new Inadmissible(`${id} is registered already, as ${known.kind}`);
      if (kind === 'human' && agents.length > 0) throw new Inadmissible('no agent acts for a human');
      const who = { registeredBy: payload.by, registeredAt: known?.registeredAt ?? line.time };
      change.set(state.responsibilities, id, { id, kind, name, agents: [...new Set(agents)], ...who });
      return;
    }
    case 'request.createdByHuman':
      requireShown(askedContent(record));
      create(state, change, record, doer, line.time, trust);
      return;
    case 'request.movedByHuman':
    case 'request.stepRecordedByHuman': {
      const request = state.requests.get(record.id);
      if (!request) throw new Inadmissible(`there is no open request ${record.id}`);
      if (record.content !== request.content) throw new Inadmissible(`${record.id} asks something else`, 'forgery');
      requireShown(shownRequest(request));
      if (record.kind === 'request.movedByHuman') move(state, change, record, doer, line.time);
      else recordStep(state, change, record, doer);
    }
  }
}

function create(
  state: State,
  change: Change,
  record: Omit<RequestCreated, 'kind'>,
  doer: Doer,
  now: string,
  trust: Trust,
): void {
  const expected = nextRequestId(state);
  if (record.id !== expected) throw new Inadmissible(`the next request is ${expected}, not ${record.id}`);
  const problem = creationProblem(state, record, doer);
  if (problem) throw new Inadmissible(problem.why);
  const { id, ask, origin, target, priority, availableAt } = record;
  if (record.idempotencyKey !== undefined) {
    const key = idempotencyOf(origin, record.idempotencyKey);
    const known = state.requestKeys.get(key);
    if (known !== undefined) throw new Inadmissible(`${known} has this idempotency key already`);
    change.set(state.requestKeys, key, id);
  }
  const bundles = ask.type === 'ingest_new_context' ? ask.payload.bundle_ids : [];
  for (const bundle of bundles) if (!state.bundles.has(bundle)) change.set(state.bundles, bundle, false);
  change.set(state.requests, id, {
    id,
    type: ask.type,
    origin,
    target,
    status: availableAt > now ? 'created' : 'pending',
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

function move(state: State, change: Change, record: Omit<RequestMoved, 'kind'>, doer: Doer, now: string): void {
  const request = guarded(state, record.id, record.act, doer);
  const problem = moveProblem(request, record, now);
  if (problem !== null) throw new Inadmissible(problem);
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
    // Its acceptance is the first attempt; each failure that is reported begins another.
    ...(record.act === 'accept' ? { acceptedAt: now, attempts: request.attempts + 1 } : {}),
    // What is put before the target anew is answered anew.
    ...(record.act === 'resume' ? { alerted: request.alerted.filter((told) => told !== 'response') } : {}),
  });
}

function recordStep(state: State, change: Change, record: Omit<StepRecorded, 'kind'>, doer: Doer): void {
  const request = guarded(state, record.id, 'record a step', doer);
  const problem = stepProblem(state, request, record);
  if (problem !== null) throw new Inadmissible(problem);
  const steps = [...new Set([...request.steps, record.step])];
  change.set(state.requests, request.id, { ...request, steps });
  if (steps.includes('normalise') && steps.includes('lineage'))
    for (const bundle of request.bundles) change.set(state.bundles, bundle, true);
}

type Overdue = Extract<RequestRecord, { kind: 'request.alerted' | 'request.escalated' | 'request.reassigned' }>;

/** What the system does about agreed times that have passed: one alert each, then what a human's policy says. */
function overdue(state: State, change: Change, record: Overdue, doer: Doer, now: string): void {
  if (record.kind === 'request.alerted') {
    const request = guarded(state, record.id, 'alert', doer);
    if (breachOf(request, now) !== record.breach)
      throw new Inadmissible(`there is nothing to tell about the ${record.breach} of ${request.id}`);
    change.set(state.requests, request.id, { ...request, alerted: [...request.alerted, record.breach] });
    return;
  }
  const act: RequestAct = record.kind === 'request.escalated' ? 'escalate' : 'reassign';
  const request = guarded(state, record.id, act, doer);
  if (!request.alerted.includes('completion')) throw new Inadmissible(`${request.id} is not overdue`);
  if (record.kind === 'request.escalated') {
    if (request.escalated) throw new Inadmissible(`${request.id} was escalated before`);
    change.set(state.requests, request.id, { ...request, escalated: true, priority: escalatedPriority });
    return;
  }
  if (state.policy.overdue?.action !== 'reassign' || state.policy.overdue.reassignTo !== record.target)
    throw new Inadmissible(`no human's policy gives overdue requests to ${record.target}`);
  const problem = reassignProblem(state, request, record.target);
  if (problem !== null) throw new Inadmissible(`${request.id} cannot be reassigned: ${problem}`);
  change.set(state.requests, request.id, {
    ...request,
    target: record.target,
    ...(hasFormat(state, ruleFormat) ? offered(now) : takenOver(request, now)),
  });
}

/** The new target has not agreed to anything: it accepts, defers or rejects, with the full agreed times. */
function offered(now: string): Pick<OpenRequest, 'status' | 'availableAt' | 'acceptedAt' | 'alerted'> {
  return { status: 'pending', availableAt: now, acceptedAt: null, alerted: [] };
}

/** Journals of before: it stayed accepted, though the new target had not accepted it. */
function takenOver({ alerted }: OpenRequest, now: string): Pick<OpenRequest, 'acceptedAt' | 'alerted'> {
  return { acceptedAt: now, alerted: alerted.filter((told) => told !== 'completion') };
}

/** The request, if guardrails let this be done to it. @throws Inadmissible */
function guarded(state: State, id: string, act: RequestAct, doer: Doer): OpenRequest {
  const problem = guard(state, id, act, doer);
  const request = state.requests.get(id);
  if (problem || !request) throw new Inadmissible(problem?.why ?? `there is no open request ${id}`);
  return request;
}
