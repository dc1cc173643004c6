/** Raises questions and waits for their outcome. Agents can do no more; deciding is on the human side. */
import { withdrawalProblem } from '../../core/question/fold.ts';
import { recipientOf } from '../../core/state/askBack.ts';
import { undecidedQuestions } from '../../core/state/undecided.ts';
import type { Question } from '../../core/state/state.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import type { AgentSession } from '../workspace/session.ts';
import { raise, type RaiseInput, type RaisedAs } from './raise.ts';
import { questionView, questionViews, type QuestionView } from './views.ts';
import { waitUntil, type WaitOptions } from '../workspace/waiting.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Raised extends Omit<RaisedAs, 'id'> {
  readonly question: QuestionView;
}

/**
 * Stores a question. Returns the open one with the same asker, work item and normalised text, and makes it sync if
 * asked so now.
 * @throws AppError `not_found` for an unregistered work item, `bad_input` naming the field and its limit
 */
export async function raiseQuestion(store: Store, session: AgentSession, input: RaiseInput): Promise<Raised> {
  const { id, already, earlier } = await raiseOnly(store, session, input);
  const question = questionView(store.read(), id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  return { question, already, earlier };
}

/** Records it without reading rows. */
export async function raiseOnly(store: Store, session: AgentSession, input: RaiseInput): Promise<RaisedAs> {
  return asAgent(async () => store.transact(session.actor, (view) => raise(view, session, input)));
}

/** Takes back an async question of the calling agent. @throws AppError `not_found`, `denied` */
export async function withdrawQuestion(
  store: Store,
  session: AgentSession,
  id: string,
  reason: string,
): Promise<QuestionView> {
  await withdraw(store, session, id, reason);
  const question = questionView(store.read(), id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  return question;
}

/** Records it without reading rows. */
export async function withdraw(store: Store, session: AgentSession, id: string, reason: string): Promise<void> {
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = withdrawalProblem(state, id, session.actor);
      if (problem !== null) throw new AppError(state.questions.has(id) ? 'denied' : 'not_found', problem);
      const record = { kind: 'question.withdrawn', v: 1, id, reason } as const;
      return { records: [record], result: null };
    }),
  );
}

/** Open questions that the agent's next step depends on: its own, and those on its current work. */
export function openQuestionsOfAgent(view: View, agent: string): QuestionView[] {
  const { state } = view;
  // A view takes long to make: of thousands, only of those that are the agent's.
  const concerns = (question: Question) => question.asker.id === agent || recipientOf(state, question) === agent;
  const open = undecidedQuestions(state).filter(concerns);
  return questionViews(
    view,
    open.map(({ id }) => id),
  );
}

/**
 * Waits until a human decides one of these questions or asks this agent back, the timeout expires, or the signal fires.
 * Returns their current views.
 */
export async function awaitOutcome(
  workspace: Workspace,
  ids: readonly string[],
  agent: string,
  options: WaitOptions,
): Promise<QuestionView[]> {
  const isOver = (questions: readonly QuestionView[]) =>
    isDecided(questions) || questions.some((one) => isAskedBack(one, agent));
  return waitUntil(workspace, (view) => questionsOf(view, ids), isOver, options);
}

export function isAskedBack({ waiting_for, recipient, agent_id }: QuestionView, agent: string): boolean {
  return waiting_for === 'agent' && (recipient === agent || agent_id === agent);
}

export function questionsOf(view: View, ids: readonly string[]): QuestionView[] {
  return ids.map((id) => questionView(view, id)).filter((question) => question !== null);
}

/**
 * Whether a waiting agent has something to receive: a human decided a question, or one that held nothing expired. An
 * expired hold remains, and so does the wait, until a human releases it.
 */
export function isDecided(questions: readonly QuestionView[]): boolean {
  return questions.length === 0 || questions.some((question) => question.resolution !== null || isLapsed(question));
}

/** Expired without an answer, and holds nothing. */
export function isLapsed({ resolution, status, holding }: QuestionView): boolean {
  return resolution === null && status === 'expired' && !holding;
}
