/**
 * The human side of requests, signed: appointing stewards and humans, creating requests in their name, and responding
 * from their inbox. Only the editor imports this.
 */
import { nextEventId, postedContent, shownEvent, shownPost } from '../../core/memory/event.ts';
import {
  askedContent,
  announcementProblem,
  creationProblem,
  guardrailProblem,
  idempotencyOf,
  moveProblem,
  nextRequestId,
  shownAppointment,
  shownRequest,
  stepProblem,
} from '../../core/request/request.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { OpenRequest } from '../../core/state/items.ts';
import type { Relevance, StewardStep } from '../../core/records/request.ts';
import type { State } from '../../core/state/state.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, requireDecided, sign, type Signing, type Unsigned, type Signer } from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';
import { isOutdating, outdatedReason, requestEvents } from '../workspace/requestMemory.ts';
import { laterOf, memoryText, type CreateInput } from './requests.ts';
import {
  requestDetails,
  requireRequest,
  responsibilityView,
  type RequestDetails,
  type ResponsibilityView,
} from './views.ts';

export interface Appointment {
  readonly id: string;
  readonly kind: 'steward' | 'human';
  readonly name: string;
  /** Agents that act for a steward; empty if a human does. */
  readonly agents: readonly string[];
}

/** Hash of an appointment as a form shows it, including the existing one. */
export function shownAppointmentHash(state: State, appointment: Appointment): string {
  return hashOf(shownAppointment(state, cleanAppointment(appointment)));
}

function cleanAppointment({ id, kind, name, agents }: Appointment): Appointment {
  return { id, kind, name: name.trim(), agents: [...agents] };
}

/**
 * Appoints a steward or a human, or updates the name and agents.
 * @throws AppError as `requireDecided`
 */
export async function appoint(signing: Signing, appointment: Appointment, shown: string): Promise<ResponsibilityView> {
  const { kind: responsibilityKind, agents, ...named } = cleanAppointment(appointment);
  const more = { ...named, responsibilityKind, agents: [...agents] };
  await requireDecided(signing, { kind: 'responsibility.appointed', v: 1, ...more }, shown);
  const view = signing.store.read();
  const found = view.state.responsibilities.get(named.id);
  if (!found) throw new AppError('not_found', `there is no responsibility ${named.id}`);
  return responsibilityView(view, found);
}

export type HumanAnswer =
  | { readonly act: 'accept'; readonly note?: string | undefined; readonly relevance?: Relevance | undefined }
  | { readonly act: 'defer'; readonly until: string; readonly note?: string | undefined }
  | { readonly act: 'reject'; readonly note?: string | undefined; readonly relevance?: Relevance | undefined }
  | { readonly act: 'complete' | 'cancel'; readonly note: string }
  | {
      readonly act: 'record a step';
      readonly step: StewardStep;
      readonly note: string;
      readonly requests: readonly string[];
    };

export interface AnswerOutcome {
  /**
   * `already`: another response, or a deadline, came first. `changed`: it differs from what was shown, so show it again
   * and ask again.
   */
  readonly outcome: 'done' | 'already' | 'changed';
  readonly request: RequestDetails;
}

/** Hash of an open request as a form shows it; null for a settled one. */
export function shownRequestHash(state: State, id: string): string | null {
  const request = state.requests.get(id);
  return request ? hashOf(shownRequest(request)) : null;
}

/**
 * Responds to a request in a human's or steward's inbox, or cancels one of theirs.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`, `denied` (an agent's inbox), `bad_input`
 */
export async function answerRequest(
  signing: Signing,
  id: string,
  answer: HumanAnswer,
  shown: string,
): Promise<AnswerOutcome> {
  const { store, signer } = signing;
  const outcome = await store.transact(humanActor(signer), (view): Act<AnswerOutcome['outcome']> => {
    const { state, now } = view;
    const request = state.requests.get(id);
    const problem = guardrailProblem(state, id, answer.act, { kind: 'human', id: signer.name, signed: true });
    if (problem?.code === 'conflict') return { records: [], result: 'already' };
    if (problem || !request) throw new AppError(problem?.code ?? 'not_found', problem?.why ?? `there is no ${id}`);
    if (shown !== hashOf(shownRequest(request))) return { records: [], result: 'changed' };
    const misfit = answerMisfit(state, request, answer, now);
    if (misfit !== null) throw new AppError('bad_input', misfit);
    const memory = rememberedPost(view, request, answer, signer);
    const records = [
      sign(signing, recordOf(request, answer), shown, now),
      ...(memory ? [sign(signing, memory, hashOf(shownPost(memory)), now)] : []),
      ...outdatedEvents(view, id, answer.act).map((one) => sign(signing, one.record, one.shown, now)),
    ];
    return { records, result: 'done' };
  });
  return { outcome, request: requireRequest(store.read(), id) };
}

function answerMisfit(state: State, request: OpenRequest, answer: HumanAnswer, now: string): string | null {
  return answer.act === 'record a step'
    ? stepProblem(state, request, { step: answer.step, requests: [...answer.requests] })
    : moveProblem(request, answer, now);
}

function recordOf({ id, content }: OpenRequest, answer: HumanAnswer): Unsigned {
  if (answer.act === 'record a step') {
    const { step, note, requests } = answer;
    return { kind: 'request.stepRecordedByHuman', v: 1, id, content, step, note, requests: [...requests] };
  }
  const { act, note } = answer;
  return {
    kind: 'request.movedByHuman',
    v: 1,
    id,
    content,
    act,
    ...(note === undefined ? {} : { note }),
    ...('until' in answer ? { until: answer.until } : {}),
    ...('relevance' in answer && answer.relevance !== undefined ? { relevance: answer.relevance } : {}),
  };
}

/** Project memory records a human's response in the human's name. */
function rememberedPost(
  view: View,
  request: OpenRequest,
  answer: HumanAnswer,
  signer: Signer,
): Omit<RecordOf<'event.postedByHuman'>, 'envelope'> | null {
  const text = answer.act === 'record a step' ? null : memoryText(view, request, answer, signer.name);
  if (text === null) return null;
  const post = { type: 'decision', text, priority: 'low', scopes: [], related: [] } as const;
  return { kind: 'event.postedByHuman', v: 1, id: nextEventId(view.state), ...post, scopes: [], related: [] };
}

/** What memory keeps of earlier answers is resolved with the request, in the human's name. */
function outdatedEvents(view: View, request: string, act: string) {
  if (!isOutdating(act)) return [];
  const reason = outdatedReason(request, act);
  return requestEvents(view, request).flatMap((id) => {
    const event = itemOf(view.rows, 'event', id);
    if (!event) return [];
    const { type, text, priority, scopes, author, posted_at } = event;
    const content = hashOf(postedContent({ type, text, priority, scopes: [...scopes] }, author, posted_at));
    const record: Unsigned = { kind: 'event.closedByHuman', v: 1, id, how: 'resolved', reason, content };
    return [{ record, shown: hashOf(shownEvent(view.state, id, content)) }];
  });
}

/** Acknowledges a request because a human opened it. Commits to nothing, so it is not signed. */
export async function noteSeen(store: Store, signer: Pick<Signer, 'name'>, id: string): Promise<void> {
  if (store.problem || store.readOnly) return;
  await store.transact({ kind: 'human', id: signer.name }, (view) => {
    const unseen = requestDetails(view, id)?.acknowledged_at === null;
    const problem = guardrailProblem(view.state, id, 'acknowledge', { kind: 'human', id: signer.name, signed: false });
    return { records: unseen && !problem ? [{ kind: 'request.acknowledged', v: 1, id }] : [], result: null };
  });
}

/**
 * Creates a request in the name of a human or steward, signed with the form's fields.
 * @throws as `createRequest`
 */
export async function createAsHuman(
  signing: Signing,
  input: Omit<CreateInput, 'payload'> & { readonly origin: string },
): Promise<RequestDetails> {
  const { store, signer } = signing;
  const id = await store.transact(humanActor(signer), ({ state, now }): Act<string> => {
    const known =
      input.idempotencyKey === undefined
        ? undefined
        : state.requestKeys.get(idempotencyOf(input.origin, input.idempotencyKey.trim()));
    if (known !== undefined) return { records: [], result: known };
    const id = nextRequestId(state);
    const record = withoutUndefined({
      ...input,
      kind: 'request.createdByHuman',
      v: 1,
      id,
      availableAt: laterOf(input.availableAt, now),
      priority: input.priority ?? 100,
      subject: input.subject.trim(),
      summary: input.summary.trim(),
    }) as Omit<RecordOf<'request.createdByHuman'>, 'envelope'>;
    const problem =
      creationProblem(state, record, { kind: 'human', id: signer.name, signed: true }) ??
      announcementProblem(state, record);
    if (problem) throw new AppError(problem.code, problem.why);
    const shown = hashOf(askedContent(record));
    const step = dispatchRecords(state, record);
    const steps = step ? [sign(signing, step.record, step.shown, now)] : [];
    return { records: [sign(signing, record, shown, now), ...steps], result: id };
  });
  return requireRequest(store.read(), id);
}

/** Passing an ingestion on is recorded as its last step. */
function dispatchRecords(
  state: State,
  { ask, id }: Omit<RecordOf<'request.createdByHuman'>, 'envelope'>,
): { readonly record: Unsigned; readonly shown: string } | null {
  if (ask.type !== 'new_context_available' || ask.payload.ingest_request_id === undefined) return null;
  const ingestion = state.requests.get(ask.payload.ingest_request_id);
  if (ingestion?.status !== 'accepted')
    throw new AppError('conflict', `ingest_request_id: ${ask.payload.ingest_request_id} is not accepted`);
  const answer = { act: 'record a step', step: 'dispatch', note: `Passed on with ${id}.`, requests: [id] } as const;
  return { record: recordOf(ingestion, answer), shown: hashOf(shownRequest(ingestion)) };
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
