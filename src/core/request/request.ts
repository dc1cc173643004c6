/** Guardrails of requests: who may do what, when, and with what result. Pure; heads and the fold share them. */
import {
  type RequestCreated,
  type RequestMoved,
  type StepRecorded,
  openRequestStatus,
  requestStatus,
  type Breach,
  type RequestStatus,
} from '../records/request.ts';
import { withoutUndefined } from '../kit/fields.ts';
import type { OpenRequest, Responsibility } from '../state/items.ts';
import type { Actor } from '../records/plain.ts';
import type { State } from '../state/state.ts';

export type RequestAct =
  | RequestMoved['act']
  | 'acknowledge'
  | 'report a failure'
  | 'record a step'
  | 'make work'
  | 'alert'
  | 'escalate'
  | 'reassign';

interface RequestRule {
  readonly from: readonly OpenRequest['status'][];
  /** Null: the status does not change. */
  readonly to: RequestStatus | null;
  /** Only the origin cancels, only the target responds, only the system acts on time. */
  readonly by: 'origin' | 'target' | 'system';
}

/** The table of guardrails: for each act the statuses it starts from, the status it leads to, and who may do it. */
export const requestRules: Readonly<Record<RequestAct, RequestRule>> = {
  release: { from: ['created'], to: 'pending', by: 'system' },
  resume: { from: ['deferred'], to: 'pending', by: 'system' },
  expire: { from: ['pending'], to: 'expired', by: 'system' },
  accept: { from: ['pending'], to: 'accepted', by: 'target' },
  defer: { from: ['pending'], to: 'deferred', by: 'target' },
  reject: { from: ['pending'], to: 'rejected', by: 'target' },
  cancel: { from: ['pending'], to: 'cancelled', by: 'origin' },
  complete: { from: ['accepted'], to: 'completed', by: 'target' },
  acknowledge: { from: ['pending'], to: null, by: 'target' },
  'report a failure': { from: ['accepted'], to: null, by: 'target' },
  'record a step': { from: ['accepted'], to: null, by: 'target' },
  'make work': { from: ['accepted'], to: null, by: 'target' },
  alert: { from: ['pending', 'accepted'], to: null, by: 'system' },
  escalate: { from: ['accepted'], to: null, by: 'system' },
  reassign: { from: ['accepted'], to: null, by: 'system' },
};

/** Who acts. `signed`: a human whose signature was verified. */
export interface Doer {
  readonly kind: Actor['kind'];
  readonly id: string;
  readonly signed: boolean;
}

/** Why an act is refused: not permitted for this actor, not possible now, or not valid. */
export interface RequestProblem {
  readonly code: 'denied' | 'conflict' | 'bad_input' | 'not_found';
  readonly why: string;
  /** The current status, if that is the obstacle. */
  readonly status?: RequestStatus;
}

/** Whether someone acts for a responsibility: an agent named for it, or a human in a form for a human or steward. */
export function actsFor(doer: Doer, responsibility: Responsibility): boolean {
  if (doer.kind === 'agent') return responsibility.kind !== 'human' && responsibility.agents.includes(doer.id);
  const humans = responsibility.kind === 'human' || responsibility.kind === 'steward';
  return doer.kind === 'human' && doer.signed && humans;
}

export function guardrailProblem(state: State, id: string, act: RequestAct, doer: Doer): RequestProblem | null {
  const request = state.requests.get(id);
  const status = request?.status ?? state.settledRequests.get(id);
  if (status === undefined) return { code: 'not_found', why: `there is no request ${id}` };
  const rule = requestRules[act];
  if (request) {
    const why = notAllowed(state, request, act, doer);
    if (why !== null) return { code: 'denied', why };
    if (rule.from.includes(request.status)) return null;
  }
  return { code: 'conflict', status, why: `${id} is ${status}: ${nextSteps(status)}` };
}

function notAllowed(state: State, request: OpenRequest, act: RequestAct, doer: Doer): string | null {
  const { by } = requestRules[act];
  if (by === 'system') return doer.kind === 'system' ? null : `${act} is done by time, not by ${doer.id}`;
  const party = state.responsibilities.get(request[by]);
  // Acknowledging is not a commitment, so a human needs no signature for it.
  const seen = act === 'acknowledge' && doer.kind === 'human';
  if (party && actsFor(seen ? { ...doer, signed: true } : doer, party)) return null;
  if (by === 'origin') return `only its origin ${request.origin} can ${act} ${request.id}`;
  return party?.kind === 'human'
    ? `${request.id} is for ${request.target}, a human: it is answered in a form of the editor`
    : `only its target ${request.target} can ${act} ${request.id}`;
}

function nextSteps(status: RequestStatus): string {
  const next = Object.values(requestRules).flatMap(({ from, to }) =>
    to !== null && openRequestStatus.safeParse(status).success && from.some((one) => one === status) ? [to] : [],
  );
  return next.length === 0 ? 'that is final' : `it can only become ${next.join(', ')}`;
}

export function moveProblem(
  request: OpenRequest,
  { act, note, until, relevance }: Pick<RequestMoved, 'act' | 'note' | 'until' | 'relevance'>,
  now: string,
): string | null {
  if (act !== 'defer' && until !== undefined) return 'until belongs to deferring';
  const timed = timeProblem(request, act, until, now);
  if (timed !== null) return timed;
  if (needsNote(act) && note === undefined && relevance !== 'not_relevant') return `${act}: say why, in note`;
  const wanted =
    request.type !== 'new_context_available'
      ? undefined
      : ({ accept: 'ack_context_relevant', reject: 'not_relevant' } as const)[act as string];
  if (relevance !== wanted)
    return wanted === undefined
      ? `${relevance ?? 'this'} answers new_context_available, and nothing else`
      : `${request.id} is answered with ack_context_relevant or not_relevant`;
  if (act === 'complete' && request.type === 'ingest_new_context') {
    const missing = (['normalise', 'lineage', 'dispatch'] as const).filter((step) => !request.steps.includes(step));
    if (missing.length > 0) return `${request.id} is completed once these steps are recorded: ${missing.join(', ')}`;
  }
  return null;
}

function needsNote(act: RequestMoved['act']): boolean {
  return act === 'reject' || act === 'cancel' || act === 'complete';
}

function timeProblem(
  { id, availableAt, dueAt }: OpenRequest,
  act: RequestMoved['act'],
  until: string | undefined,
  now: string,
): string | null {
  if (act === 'defer') {
    if (until === undefined) return 'until: state when it becomes available again';
    if (until <= now || until <= availableAt) return `until: must be later than now and than ${availableAt}`;
    return dueAt !== null && until >= dueAt ? `until: ${id} is due ${dueAt}, before that` : null;
  }
  if ((act === 'release' || act === 'resume') && availableAt > now) return `${id} is available from ${availableAt}`;
  if (act === 'expire' && (dueAt === null || dueAt > now)) return `${id} is not past its time`;
  return null;
}

/**
 * Why a request cannot be created like this; null when it can. Both responsibilities belong to this workspace, or are
 * unknown here.
 */
export function creationProblem(
  state: State,
  asked: Pick<RequestCreated, 'ask' | 'origin' | 'target' | 'availableAt' | 'dueAt'>,
  doer: Doer,
): RequestProblem | null {
  const origin = state.responsibilities.get(asked.origin);
  const target = state.responsibilities.get(asked.target);
  if (!origin) return { code: 'not_found', why: `origin: ${unknownHere(asked.origin)}` };
  if (!target) return { code: 'not_found', why: `target: ${unknownHere(asked.target)}` };
  if (!actsFor(doer, origin)) return { code: 'denied', why: `origin: ${doer.id} does not act for ${origin.id}` };
  if (origin.id === target.id)
    return { code: 'bad_input', why: 'target: a request goes to another responsibility; your own work is a work item' };
  if (asked.dueAt !== undefined && asked.dueAt <= asked.availableAt)
    return { code: 'bad_input', why: 'due_at: must be later than available_at' };
  if (asked.ask.type === 'ingest_new_context' && target.kind !== 'steward')
    return { code: 'denied', why: `target: ${target.id} is not a steward: ingest_new_context goes to one` };
  if (asked.ask.type !== 'new_context_available') return null;
  if (origin.kind !== 'steward')
    return {
      code: 'denied',
      why: `origin: ${origin.id} is not a steward: only stewards originate new_context_available`,
    };
  const unreviewed = asked.ask.payload.bundle_ids.filter((bundle) => state.bundles.get(bundle) === false);
  if (unreviewed.length > 0)
    return {
      code: 'denied',
      why: `no steward has reviewed ${unreviewed.join(', ')}: accept the ingestion and record its steps normalise and lineage first`,
    };
  return null;
}

/**
 * Why these bundles cannot be announced; null when they can. Only callers ask this: a journal may have announcements of
 * bundles that were never ingested.
 */
export function announcementProblem(state: State, { ask }: Pick<RequestCreated, 'ask'>): RequestProblem | null {
  const bundles = ask.type === 'new_context_available' ? ask.payload.bundle_ids : [];
  const unknown = bundles.filter((bundle) => !state.bundles.has(bundle));
  if (unknown.length === 0) return null;
  return {
    code: 'denied',
    why: `bundle_ids: ${unknown.join(', ')} ${unknown.length === 1 ? 'was' : 'were'} never ingested: a steward announces only what an ingest_new_context request brought`,
  };
}

function unknownHere(id: string): string {
  return `there is no responsibility ${id} in this workspace`;
}

export function stepProblem(
  state: State,
  request: OpenRequest,
  { step, requests }: Pick<StepRecorded, 'step' | 'requests'>,
): string | null {
  if (request.type !== 'ingest_new_context') return 'steps belong to ingest_new_context';
  if (step !== 'dispatch') return requests.length > 0 ? 'requests belong to the step dispatch' : null;
  const missing = (['normalise', 'lineage'] as const).filter((before) => !request.steps.includes(before));
  if (missing.length > 0) return `record ${missing.join(' and ')} first`;
  const unknown = requests.find((id) => !state.requests.has(id) && !state.settledRequests.has(id));
  if (unknown !== undefined) return `there is no request ${unknown}`;
  const other = requests.flatMap((id) => state.requests.get(id) ?? []).find((found) => !passesOn(found, request));
  return other === undefined ? null : `${other.id} is not a new_context_available request of ${request.target}`;
}

function passesOn({ type, origin }: OpenRequest, ingestion: OpenRequest): boolean {
  return type === 'new_context_available' && origin === ingestion.target;
}

/** The agreed time that has passed unmet and without an alert. */
export function breachOf(request: OpenRequest, now: string): Breach | null {
  const due = slaDue(request);
  return due !== null && due.at < now && !request.alerted.includes(due.breach) ? due.breach : null;
}

/** The deadline for responding or completing; null when none applies to its status. */
export function slaDue({
  status,
  availableAt,
  acceptedAt,
  responseSeconds,
  completionSeconds,
}: OpenRequest): { readonly breach: Breach; readonly at: string } | null {
  if (status === 'pending' && responseSeconds !== null)
    return { breach: 'response', at: secondsAfter(availableAt, responseSeconds) };
  if (status === 'accepted' && completionSeconds !== null && acceptedAt !== null)
    return { breach: 'completion', at: secondsAfter(acceptedAt, completionSeconds) };
  return null;
}

function secondsAfter(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1_000).toISOString();
}

export function reassignProblem(state: State, request: OpenRequest, to: string): string | null {
  const party = state.responsibilities.get(to);
  if (!party) return unknownHere(to);
  if (to === request.target || to === request.origin) return `${to} is already its target or origin`;
  return request.type === 'ingest_new_context' && party.kind !== 'steward' ? `${to} is not a steward` : null;
}

export function nextRequestId(state: State): string {
  // The fold admits only consecutive numbers.
  return `R-${String(state.requests.size + state.settledRequests.size + 1)}`;
}

/** Keys are unique per origin: two origins may use the same one. */
export function idempotencyOf(origin: string, key: string): string {
  return JSON.stringify([origin, key]);
}

export function isSettled(status: RequestStatus): boolean {
  return !openRequestStatus.safeParse(status).success && requestStatus.options.includes(status);
}

/** The immutable parts of a request. Their hash represents them where texts are not kept. */
export function askedContent({
  ask,
  origin,
  target,
  mandate,
  subject,
  summary,
  bodyPath,
  dueAt,
  sourceContext,
  payload,
}: Omit<RequestCreated, 'kind' | 'v'>): object {
  const given = withoutUndefined({ mandate, bodyPath, dueAt, sourceContext, payload });
  return { ask, origin, target, subject, summary, ...given };
}

/**
 * Whether a human must act: it is addressed to a human, or to a steward without agents, and is not done. A steward's
 * agents have the agreed time; after that, the human who appointed them must act.
 */
export function isHumansTurn(state: State, request: OpenRequest): boolean {
  if (request.status !== 'pending' && request.status !== 'accepted') return false;
  const target = state.responsibilities.get(request.target);
  return isHumans(target) || (target?.kind === 'steward' && breached(request) !== null);
}

/** The agreed time that has passed and was alerted, for the current status; null when none. */
export function breached({ status, alerted }: OpenRequest): Breach | null {
  const about = status === 'pending' ? 'response' : status === 'accepted' ? 'completion' : null;
  return about !== null && alerted.includes(about) ? about : null;
}

/** Whether a responsibility responds only through a form. */
export function isHumans(responsibility: Responsibility | undefined): boolean {
  if (responsibility?.kind === 'steward') return responsibility.agents.length === 0;
  return responsibility?.kind === 'human';
}

export function shownRequest({ id, content, status, target, priority, availableAt, steps }: OpenRequest): object {
  return { id, content, status, target, priority, availableAt, steps };
}

/** What a form shows of a responsibility, with what it replaces, and a human signs. */
export function shownAppointment(
  state: State,
  { id, kind, name, agents }: Pick<Responsibility, 'id' | 'kind' | 'name' | 'agents'>,
): object {
  const before = state.responsibilities.get(id);
  return { id, kind, name, agents, before: before ? { name: before.name, agents: before.agents } : null };
}
