/**
 * Requests between responsibilities, created and answered by agents. Applies the same guardrails as the fold; a refused
 * change is recorded with the request, without further effect.
 */
import type { RecordInput } from '../../core/records/records.ts';
import {
  announcementProblem,
  creationProblem,
  guardrailProblem,
  idempotencyOf,
  moveProblem,
  nextRequestId,
  stepProblem,
  type Doer,
  type RequestAct,
  type RequestProblem,
} from '../../core/request/request.ts';
import type { RequestAsk, RequestMoved, StewardStep } from '../../core/records/request.ts';
import type { OpenRequest, Responsibility } from '../../core/state/items.ts';
import { nextEventId } from '../../core/memory/event.ts';
import type { State } from '../../core/state/state.ts';
import { withoutUndefined } from '../../core/kit/fields.ts';
import { firstLine } from '../../core/kit/text.ts';
import { requestRow } from '../../store/rows/read.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import {
  requireRoomToRequest,
  changesBetween,
  type FieldChange,
  registration,
  type AgentSession,
} from '../workspace/session.ts';
import { outdatedRecords } from '../workspace/sweep.ts';
import {
  requireRequest,
  responsibilitiesOf,
  responsibilityView,
  workspaceOf,
  type RequestDetails,
  type ResponsibilityView,
} from './views.ts';
import { meantBy } from '../../core/kit/persons.ts';

export interface RegisterInput {
  readonly id: string;
  readonly kind: 'agent' | 'automation';
  readonly name: string;
  /** Further agents that act for it. */
  readonly agents: readonly string[];
}

export interface RegisteredResponsibility {
  readonly responsibility: ResponsibilityView;
  /** True when it was registered before. */
  readonly already: boolean;
  readonly changed: readonly FieldChange[];
  /** Fields that were given and stay as they are: only a human changes them. */
  readonly kept: readonly string[];
}

/**
 * Registers a responsibility that the calling agent acts for; to one it acts for already, adds agents.
 * @throws AppError `conflict` when others have it, `denied` when only a human can say who acts for it
 */
export async function registerResponsibility(
  store: Store,
  session: AgentSession,
  { id, kind, name, agents: named }: RegisterInput,
): Promise<RegisteredResponsibility> {
  const agents = named.map((agent) => meantBy(session.actor.id, agent));
  const before = await asAgent(async () =>
    store.transact(session.actor, ({ state }): Act<Responsibility | null> => {
      const known = state.responsibilities.get(id);
      const who = registration(state, session);
      if (!known) {
        const record = { kind: 'responsibility.registered', v: 1, id, responsibilityKind: kind, name } as const;
        return { records: [...who, { ...record, agents: [...agents] }], result: null };
      }
      if (known.kind === 'human' || known.kind === 'steward')
        throw new AppError('denied', `only a human can appoint, in a form, who acts for ${id}, a ${known.kind}`);
      if (!known.agents.includes(session.actor.id))
        throw new AppError(
          'conflict',
          `responsibility ${id} already exists, and ${known.agents.join(', ')} ${known.agents.length === 1 ? 'acts' : 'act'} for it: ask one of them to add you, or choose another id`,
        );
      const more = agents.filter((agent) => !known.agents.includes(agent));
      const joining: RecordInput[] =
        more.length === 0 ? [] : [...who, { kind: 'responsibility.joined', v: 1, id, agents: more }];
      return { records: joining, result: known };
    }),
  );
  const view = store.read();
  const responsibility = view.state.responsibilities.get(id);
  if (!responsibility) throw new AppError('not_found', `there is no responsibility ${id}`);
  return {
    responsibility: responsibilityView(view, responsibility),
    already: before !== null,
    changed: before ? changesBetween(before, responsibility, ['agents']) : [],
    kept: before && before.name !== name.trim() ? ['name'] : [],
  };
}

/** A caller's input: the record without the fields we set. Paths are workspace-relative and cleaned. */
export type CreateInput = Omit<
  Extract<RecordInput, { kind: 'request.created' }>,
  'kind' | 'v' | 'id' | 'ask' | 'origin' | 'availableAt'
> & {
  readonly ask: RequestAsk;
  /** Default: the agent's only responsibility. */
  readonly origin?: string | undefined;
  /** Default: now. */
  readonly availableAt?: string | undefined;
};

/**
 * Stores a request. An existing one with the same origin and idempotency key is returned unchanged instead.
 * @throws AppError `not_found` for an unknown responsibility, `denied` by a guardrail, `bad_input`
 */
export async function createRequest(
  store: Store,
  session: AgentSession,
  input: CreateInput,
): Promise<{ readonly request: RequestDetails; readonly already: boolean }> {
  const { id, already } = await asAgent(async () =>
    store.transact(session.actor, (view): Act<{ readonly id: string; readonly already: boolean }> => {
      const { state } = view;
      const origin = input.origin ?? onlyResponsibility(view, session.actor.id);
      const { id, record, dispatch } = creationOf(view, { ...input, origin }, agentDoer(session));
      if (!record) return { records: [], result: { id, already: true } };
      requireRoomToRequest(state, origin);
      const step = dispatch ? [answerRecord(dispatch.request.id, dispatch.answer)] : [];
      return { records: [...registration(state, session), record, ...step], result: { id, already: false } };
    }),
  );
  return { request: requireRequest(store.read(), id), already };
}

function agentDoer({ actor }: AgentSession): Doer {
  return { ...actor, signed: false };
}

/**
 * What a new request becomes, for agents and humans: its record, and the step by which it passes an ingestion on. Null: a
 * request with the same key exists, and has this id.
 * @throws AppError as `createRequest`
 */
export function creationOf({ state, now }: View, input: CreateInput & { readonly origin: string }, doer: Doer) {
  const key = input.idempotencyKey?.trim();
  const known = key === undefined ? undefined : state.requestKeys.get(idempotencyOf(input.origin, key));
  const { availableAt = now } = input;
  // A past time means now.
  const asked = { ...input, availableAt: availableAt < now ? now : availableAt };
  const problem =
    creationProblem(state, asked, doer) ?? (known === undefined ? announcementProblem(state, asked) : null);
  if (problem) throw new AppError(problem.code, problem.why);
  if (known !== undefined) return { id: known, record: null, dispatch: null };
  const id = nextRequestId(state);
  const record = { ...asked, kind: 'request.created', v: 1, id } as const;
  return { id, record, dispatch: dispatchOf(state, record, doer) };
}

/** Passing an ingestion on is recorded as its last step. */
function dispatchOf(
  state: State,
  { ask, origin, id }: Pick<Extract<RecordInput, { kind: 'request.created' }>, 'ask' | 'origin' | 'id'>,
  doer: Doer,
): { readonly request: OpenRequest; readonly answer: Answer } | null {
  if (ask.type !== 'new_context_available' || ask.payload.ingest_request_id === undefined) return null;
  const ingestion = ask.payload.ingest_request_id;
  const answer = { act: 'record a step', step: 'dispatch', note: `Passed on with ${id}.`, requests: [id] } as const;
  const problem = guardrailProblem(state, ingestion, answer.act, doer);
  const request = state.requests.get(ingestion);
  if (problem || !request)
    throw new AppError(problem?.code ?? 'conflict', `ingest_request_id: ${problem?.why ?? ingestion}`);
  if (request.target !== origin)
    throw new AppError('denied', `ingest_request_id: ${ingestion} is for ${request.target}, not for ${origin}`);
  // The new request is not there yet.
  const missing = stepProblem(state, request, { step: 'dispatch', requests: [] });
  if (missing !== null) throw new AppError('conflict', `ingest_request_id: ${missing}`);
  return { request, answer };
}

/** @throws AppError `bad_input` when the agent acts for none or for several */
export function onlyResponsibility(view: Pick<View, 'state'>, agent: string): string {
  const mine = responsibilitiesOf(view, agent);
  const [only] = mine;
  if (only !== undefined && mine.length === 1) return only;
  throw new AppError(
    'bad_input',
    mine.length === 0
      ? 'origin: you act for no responsibility yet'
      : `origin: name which of ${mine.join(', ')} you ask for`,
    mine.length === 0 ? { advice: (guide) => `Register yours: ${guide.name('register_responsibility')}.` } : {},
  );
}

/** A work item that the target creates for a request. */
export interface NewWork {
  readonly id: string;
  readonly title: string;
  readonly kind: 'task' | 'workflow';
}

/** How an agent or a human answers a request. What an act needs, the guardrails say. */
export type Answer =
  | (Pick<RequestMoved, 'note' | 'until' | 'relevance'> & {
      readonly act: 'accept' | 'defer' | 'reject' | 'complete' | 'cancel';
    })
  | {
      readonly act: 'record a step';
      readonly step: StewardStep;
      readonly note: string;
      readonly requests: readonly string[];
    };

export type AgentAnswer =
  | (Answer & { readonly work?: readonly NewWork[] })
  | { readonly act: 'report a failure'; readonly error: string }
  | { readonly act: 'make work'; readonly work: readonly NewWork[] };

/**
 * Carries out one act on a request. If several accept at the same time, one succeeds and the others get a conflict.
 * @throws AppError `not_found`, `denied` or `conflict` by a guardrail (recorded with the request), `bad_input`
 */
export async function respondToRequest(
  store: Store,
  session: AgentSession,
  id: string,
  answer: AgentAnswer,
): Promise<RequestDetails> {
  const refused = await asAgent(async () =>
    store.transact(session.actor, (view): Act<RequestProblem | null> => {
      const { state, now } = view;
      const request = state.requests.get(id);
      const problem =
        guardrailProblem(state, id, answer.act, agentDoer(session)) ??
        (request && isAnswer(answer) ? answerProblem(state, request, answer, now) : null);
      if (problem?.code === 'not_found') throw new AppError('not_found', problem.why);
      const who = registration(state, session);
      if (problem || !request)
        return {
          records: [...who, { kind: 'request.refused', v: 1, id, act: answer.act, why: problem?.why ?? 'refused' }],
          result: problem,
        };
      return { records: [...who, ...answerRecords(view, request, answer, session)], result: null };
    }),
  );
  if (refused) throw new AppError(refused.code, refusedText(store.read(), id, refused));
  return requireRequest(store.read(), id);
}

function isAnswer(answer: AgentAnswer): answer is Answer & { readonly work?: readonly NewWork[] } {
  return answer.act !== 'report a failure' && answer.act !== 'make work';
}

/** If another response came first, names its author. */
function refusedText(view: View, id: string, { why, status }: RequestProblem): string {
  const row = requestRow(view.rows, workspaceOf(view), id);
  return status === 'accepted' && row?.accepted_by != null
    ? `${why}. ${row.accepted_by} accepted it at ${row.accepted_at ?? ''}`
    : why;
}

/** Why an answer that the guardrails allow is not valid; null when it is. */
export function answerProblem(
  state: State,
  request: OpenRequest,
  answer: Answer,
  now: string,
): Pick<RequestProblem, 'code' | 'why'> | null {
  const isStep = answer.act === 'record a step';
  const why = isStep
    ? stepProblem(state, request, { step: answer.step, requests: [...answer.requests] })
    : moveProblem(request, answer, now);
  return why === null ? null : { code: isStep ? 'conflict' : 'bad_input', why };
}

function answerRecords(view: View, request: OpenRequest, answer: AgentAnswer, session: AgentSession): RecordInput[] {
  const { id } = request;
  if (answer.act === 'report a failure') return [{ kind: 'request.attemptFailed', v: 1, id, error: answer.error }];
  const made = workRecords(id, answer.work ?? [], session);
  if (answer.act === 'make work') return made;
  const text = memoryText(view, request, answer, session.actor.id);
  return [
    answerRecord(id, answer),
    ...made,
    ...(text === null ? [] : [{ ...memoryPost(view.state, text), kind: 'event.posted' } as const]),
    ...outdatedRecords(view, id, answer.act),
  ];
}

/** The record of an agent's answer; that of a human has another kind, and is signed. */
export function answerRecord(id: string, answer: Answer) {
  if (answer.act === 'record a step') {
    const { step, note, requests } = answer;
    return { kind: 'request.stepRecorded' as const, v: 1 as const, id, step, note, requests: [...requests] };
  }
  const { act, note, until, relevance } = answer;
  return { kind: 'request.moved', v: 1, id, ...withoutUndefined({ act, note, until, relevance }) } as const;
}

/** Work items for an accepted request; always new ones. */
function workRecords(id: string, work: readonly NewWork[], session: AgentSession): RecordInput[] {
  if (work.length === 0) return [];
  const registered = work.map(({ id: item, title, kind }): RecordInput => ({
    kind: 'work.registered',
    v: 1,
    id: item,
    workKind: kind,
    title,
    assignee: session.actor.id,
  }));
  return [...registered, { kind: 'request.workMade', v: 1, id, work: work.map((item) => item.id) }];
}

/** How project memory keeps an answer. */
export function memoryPost(state: State, text: string) {
  return { v: 1, id: nextEventId(state), type: 'decision', text, priority: 'low' } as const;
}

const remembered: Partial<Record<RequestAct, string>> = {
  accept: 'accepted',
  defer: 'deferred',
  reject: 'rejected',
};

/** The memory text of a response; null if it is not recorded. */
export function memoryText(view: View, request: OpenRequest, answer: Answer, by: string): string | null {
  const word = remembered[answer.act];
  if (word === undefined || answer.act === 'record a step') return null;
  const subject = requestRow(view.rows, workspaceOf(view), request.id)?.subject ?? '';
  const { id, origin, target } = request;
  const until = answer.until === undefined ? '' : ` until ${answer.until}`;
  const said = [answer.relevance, answer.note === undefined ? undefined : firstLine(answer.note, 500)];
  const why = said.filter((part) => part !== undefined).join(': ');
  return `${id} "${subject}" (${origin} to ${target}) was ${word}${until} by ${by}${why === '' ? '.' : `: ${why}`}`;
}
