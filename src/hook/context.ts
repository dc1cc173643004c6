/** Context for an agent when its session starts, with a prompt, and before it stops. Nothing here can stop a human. */
import { briefingOf } from '../app/memory/briefing.ts';
import { lookAtHeld } from '../app/hold/lookAtHeld.ts';
import { recordOffer, undeliveredQuestions } from '../app/waiting/delivery.ts';
import type { QuestionView } from '../app/question/views.ts';
import { undeliveredNotices, waitingRequests, type NoticedRequest } from '../app/request/views.ts';
import { undeliveredRfcs, type RfcSummary } from '../app/rfc/views.ts';
import { unlessOffline } from '../app/workspace/errors.ts';
import { freshnessOf } from '../app/workspace/freshness.ts';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { leaseOf } from '../core/hold/freshness.ts';
import { outageText } from '../core/hold/gate.ts';
import { toolGuide } from '../core/kit/guide.ts';
import { capitalize } from '../core/kit/text.ts';
import { briefingText, withinTokens } from '../core/memory/briefingText.ts';
import { isSettled } from '../core/request/request.ts';
import { type State, undecidedQuestions, openAskBack } from '../core/state/state.ts';
import type { HookAnswer } from '../hosts/call.ts';
import type { Store } from '../store/store.ts';
import { rfcText } from '../tools/rfc/texts.ts';
import { namedAtMost, noticesText, waitingText } from '../tools/kit/requestTexts.ts';
import { awaitedText } from '../tools/kit/texts.ts';
import { readerOf, type Reader } from '../tools/kit/reader.ts';
import { textOf } from './afterCall.ts';
import { noteEndOfTurn, sessionOf } from './session.ts';
import { type Asked, inTime } from './surroundings.ts';
import { exchange, unreadChanges } from './notes.ts';

const nothing: HookAnswer = { kind: 'nothing' };
const keptAtMost = 500;
/** Size limit of the briefing that every session of a project starts with. Tokens. */
const tokens = 700;
const rules =
  'Holdpoint: agents stop for humans in this workspace. Call holdpoint_check_gate before you edit. If something is unclear, ask with holdpoint_raise_question. Only a human can release held work.';

export async function contextFor(workspace: Workspace, asked: Asked): Promise<HookAnswer> {
  const { event } = asked.call;
  const standing = workspace.standing();
  if (standing.problem) {
    const unknown = `Holdpoint: the state of this workspace is UNKNOWN. ${standing.problem.message} Change nothing until a human has recovered it.`;
    return event === 'stop' ? nothing : { kind: 'context', text: unknown };
  }
  const { state } = standing;
  if (state.workspace === null) return nothing;
  if (event === 'stop') {
    await noteEndOfTurn(workspace, asked).catch(() => undefined);
    const changed = await changedHeldFiles(workspace, asked);
    if (changed) return changed;
  }
  const session = sessionOf(workspace, asked);
  // Only answers and project memory need rows; skip opening the database without either.
  if (event !== 'sessionStart' && !anythingNew(state)) return nothing;
  const store = await workspace.store();
  if (event === 'stop') return beforeStopping(workspace, store, asked, session);
  const place = { workspace, store, asked };
  return event === 'prompt' ? await withPrompt(place, session) : await atStart(place, session);
}

function anythingNew(state: State): boolean {
  if (state.rfcs.size + state.requests.size + state.settledRequests.size > 0) return true;
  if (state.questions.size > state.undecided.size) return true;
  return undecidedQuestions(state).some((question) => openAskBack(question) !== null);
}

/** Once for each change: an agent that cannot restore a file may stop. */
async function changedHeldFiles(workspace: Workspace, { call }: Asked): Promise<HookAnswer | null> {
  if (call.stopping) return null;
  const found = unreadChanges(
    workspace,
    { session: call.session, when: 'stop' },
    await lookAtHeld(workspace, null, inTime),
  );
  const text = textOf(workspace, found);
  if (text === null) return null;
  return { kind: 'goOn', reason: `${text}\nRestore them before you stop, or tell your human why you cannot.` };
}

interface Outcomes {
  readonly questions: readonly QuestionView[];
  readonly rfcs: readonly RfcSummary[];
  /** What became of requests, and which wait. */
  readonly requests: readonly NoticedRequest[];
}

function outcomesFor(store: Store, session: AgentSession): Outcomes {
  const view = store.read();
  const agent = session.actor.id;
  return {
    questions: undeliveredQuestions(view, agent),
    rfcs: undeliveredRfcs(view, agent),
    requests: undeliveredNotices(view, agent),
  };
}

/** Each apart: a model's or another agent's words are never shown as a human's, nor a question as an answer. */
function paragraphs(
  reader: Reader,
  { questions: all, rfcs, requests }: Outcomes,
  head: (by: string) => string = (by) => `${by} has answered.`,
): string[] {
  const asked = all.filter(isAsked);
  const questions = all.filter((one) => !isAsked(one));
  const by = questions.length > 0 || rfcs.some(({ waiting }) => !waiting) ? 'a human' : 'the AI reviewer, not a human,';
  const answers = [...questions.map((one) => awaitedText(one, reader)), ...rfcs.map((one) => rfcText(one, reader))];
  return [
    ...(answers.length === 0 ? [] : [`${head(by)}\n${answers.join('\n')}`]),
    ...(asked.length === 0
      ? []
      : [`A human has a question for you.\n${asked.map((one) => awaitedText(one, reader)).join('\n')}`]),
    ...(requests.length === 0 ? [] : [`Request updates:\n${noticesText(requests, reader.guide).join('\n')}`]),
  ];
}

function isAsked({ waiting_for }: QuestionView): boolean {
  return waiting_for === 'agent';
}

async function offer(store: Store, session: AgentSession, { questions, rfcs, requests }: Outcomes): Promise<void> {
  const ids = [...questions, ...rfcs, ...requests].map(({ id }) => id);
  if (ids.length > 0 && !store.readOnly) await unlessOffline(recordOffer(store, session, ids, false));
}

interface Delivering {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly asked: Asked;
}

async function withPrompt({ workspace, store, asked }: Delivering, session: AgentSession | null): Promise<HookAnswer> {
  if (!session) return nothing;
  const all = outcomesFor(store, session);
  // What the session's start has just said is in the same message as its first prompt; the next prompt says all again.
  const started = exchange(workspace, { session: sessionKey(asked, session), when: 'start' }, () => []);
  const isNew = (key: string) => started?.has(key) !== true;
  const outcomes = {
    questions: all.questions.filter((one) => isNew(questionKey(one))),
    rfcs: all.rfcs.filter(({ id }) => isNew(id)),
    requests: all.requests.filter((one) => isNew(requestKey(one))),
  };
  const said = paragraphs(readerOf({ workspace, session }), outcomes);
  if (said.length === 0) return nothing;
  await offer(store, session, outcomes);
  return { kind: 'context', text: `Holdpoint: ${said.join('\n')}` };
}

/** All waiting requests, including those of earlier sessions: no other message mentions them. */
async function atStart({ workspace, store, asked }: Delivering, session: AgentSession | null): Promise<HookAnswer> {
  const outage = outageText(freshnessOf(workspace), leaseOf(workspace.standing().state));
  const view = store.read();
  const { briefing } = briefingOf(workspace, view, { focus: null, agent: session?.actor.id });
  const outcomes = session && outcomesFor(store, session);
  if (session && outcomes) await offer(store, session, outcomes);
  const waiting = session && waitingRequests(view, session.actor.id, namedAtMost);
  const apart = outcomes && {
    ...outcomes,
    requests: outcomes.requests.filter(({ notice }) => notice.type !== 'waiting'),
  };
  if (session && apart)
    exchange(workspace, { session: sessionKey(asked, session), when: 'start' }, (before) => [
      ...before,
      ...keysOf(apart),
    ]);
  const text = [
    rules,
    outage ?? '',
    ...(session && apart
      ? paragraphs(readerOf({ workspace, session }), apart, (by) => `${capitalize(by)} has answered what you asked.`)
      : []),
    waiting ? waitingText(waiting, toolGuide) : '',
    briefingText(withinTokens(briefing, tokens), toolGuide),
  ];
  return { kind: 'context', text: text.filter((part) => part !== '').join('\n') };
}

/**
 * Once for each outcome and session, and not again while the agent continues because of it: there is no loop. A request
 * that waits keeps no agent from stopping.
 */
async function beforeStopping(
  workspace: Workspace,
  store: Store,
  asked: Asked,
  session: AgentSession | null,
): Promise<HookAnswer> {
  if (!session || asked.call.stopping) return nothing;
  const all = outcomesFor(store, session);
  const outcomes = { ...all, requests: all.requests.filter(keepsGoing) };
  if (firstTime(workspace, sessionKey(asked, session), keysOf(outcomes)).length === 0) return nothing;
  await offer(store, session, outcomes);
  const next =
    outcomes.questions.filter((one) => !isAsked(one)).length + outcomes.rfcs.length === 0
      ? 'Act on it before you stop.'
      : 'Act on it before you stop, or call holdpoint_await_answer to confirm that you have it.';
  return {
    kind: 'goOn',
    reason: `Holdpoint: ${[...paragraphs(readerOf({ workspace, session }), outcomes, (by) => `${by} has answered what you asked.`), next].join('\n')}`,
  };
}

function sessionKey({ call }: Asked, { actor }: AgentSession): string {
  return call.session ?? actor.id;
}

function keysOf({ questions, rfcs, requests }: Outcomes): string[] {
  return [...questions.map(questionKey), ...rfcs.map(({ id }) => id), ...requests.map(requestKey)];
}

function questionKey(question: QuestionView): string {
  return isAsked(question) ? `${question.id} asked ${String(question.ask_backs.length)}` : question.id;
}

function requestKey({ id, notice }: NoticedRequest): string {
  return `${id} ${String(notice.number)}`;
}

function keepsGoing({ status, notice }: NoticedRequest): boolean {
  return notice.type.endsWith('_overdue') || notice.type === 'reassigned' || isSettled(status);
}

/** Records the ids not said before and returns them; none if they cannot be recorded, because they would repeat forever. */
function firstTime(workspace: Workspace, session: string, ids: readonly string[]): string[] {
  const fresh = (told: readonly string[]) => ids.filter((id) => !told.includes(id));
  const before = exchange(workspace, { session, when: 'told' }, (told) => [...told.slice(-keptAtMost), ...fresh(told)]);
  return before === null ? [] : fresh([...before]);
}
