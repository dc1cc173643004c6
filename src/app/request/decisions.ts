/**
 * The human side of requests, signed: appointing stewards and humans, creating requests in their name, and responding
 * from their inbox. Only the editor imports this.
 */
import { withoutUndefined } from '../../core/kit/fields.ts';
import { postedContent, shownEvent, shownPost } from '../../core/memory/event.ts';
import {
  askedContent,
  guardrailProblem,
  shownAppointment,
  shownRequest,
  type Doer,
} from '../../core/request/request.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { OpenRequest } from '../../core/state/items.ts';
import { defaultPriority } from '../../core/records/request.ts';
import type { State } from '../../core/state/state.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, requireDecided, sign, type Signing, type Unsigned, type Signer } from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';
import { isOutdating, outdatedReason, requestEvents } from '../workspace/sweep.ts';
import {
  noteTouched,
  requireRequest,
  responsibilityView,
  type RequestDetails,
  type ResponsibilityView,
} from './views.ts';
import {
  answerProblem,
  answerRecord,
  creationOf,
  memoryPost,
  memoryText,
  type Answer,
  type CreateInput,
} from './requests.ts';

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

/**
 * `already`: another response, or a deadline, came first. `changed`: it differs from what was shown, so show it again and
 * ask again.
 */
type Outcome = 'done' | 'already' | 'changed';

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
export async function answerRequest(signing: Signing, id: string, answer: Answer, shown: string) {
  const { store, signer } = signing;
  const outcome = await store.transact(humanActor(signer), (view): Act<Outcome> => {
    const { state, now } = view;
    const request = state.requests.get(id);
    const problem = guardrailProblem(state, id, answer.act, doerOf(signer));
    if (problem?.code === 'conflict') return { records: [], result: 'already' };
    if (problem || !request) throw new AppError(problem?.code ?? 'not_found', problem?.why ?? `there is no ${id}`);
    if (shown !== hashOf(shownRequest(request))) return { records: [], result: 'changed' };
    const misfit = answerProblem(state, request, answer, now);
    if (misfit) throw new AppError('bad_input', misfit.why);
    const text = memoryText(view, request, answer, signer.name);
    const records = [
      sign(signing, signedAnswer(request, answer), shown, now),
      ...(text === null ? [] : [signedMemory(signing, view, text)]),
      ...outdatedEvents(view, id, answer.act).map((one) => sign(signing, one.record, one.shown, now)),
    ];
    return { records, result: 'done' };
  });
  return { outcome, request: requireRequest(store.read(), id) };
}

function doerOf({ name }: Pick<Signer, 'name'>): Doer {
  return { kind: 'human', id: name, signed: true };
}

function signedAnswer({ id, content }: OpenRequest, answer: Answer): Unsigned {
  const record = answerRecord(id, answer);
  return { ...record, kind: `${record.kind}ByHuman`, content } as Unsigned;
}

/** Project memory records a human's response in the human's name. */
function signedMemory(signing: Signing, { state, now }: View, text: string) {
  const kind = 'event.postedByHuman' as const;
  const record = { ...memoryPost(state, text), kind, scopes: [], related: [] };
  return sign(signing, record, hashOf(shownPost(record)), now);
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
export function noteSeen(store: Store, { name }: Pick<Signer, 'name'>, id: string): Promise<void> {
  return noteTouched(store, { actor: { kind: 'human', id: name } }, [id]);
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
  const result = await store.transact(humanActor(signer), (view): Act<string> => {
    const { id, record: asked, dispatch } = creationOf(view, input, doerOf(signer));
    if (!asked) return { records: [], result: id };
    // As the fold will see it, which is what the signature is about.
    const record = {
      ...withoutUndefined(asked),
      kind: 'request.createdByHuman',
      priority: asked.priority ?? defaultPriority,
      subject: asked.subject.trim(),
      summary: asked.summary.trim(),
    } as Omit<RecordOf<'request.createdByHuman'>, 'envelope'>;
    const records = [sign(signing, record, hashOf(askedContent(record)), view.now)];
    if (dispatch) {
      const { request, answer } = dispatch;
      records.push(sign(signing, signedAnswer(request, answer), hashOf(shownRequest(request)), view.now));
    }
    return { records, result: id };
  });
  return requireRequest(store.read(), result);
}
