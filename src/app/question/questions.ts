/** Raises questions and waits for their outcome. Agents can do no more; deciding is on the human side. */
import { answeredBefore, expiryOf, nextQuestionId, questionKey } from '../../core/question/question.ts';
import { formatOf, withdrawalProblem } from '../../core/question/fold.ts';
import { effectFormat } from '../../core/records/records.ts';
import type { QuestionRaised, RecordInput } from '../../core/records/records.ts';
import { askForFormat } from '../../core/state/askForFormat.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { requireRoomToAsk, requireRoomToHold } from '../workspace/crowds.ts';
import { AppError, asAgent, registerFirst } from '../workspace/errors.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession } from '../workspace/session.ts';
import { questionView } from './views.ts';
import type { QuestionView } from './views.ts';
import { waitUntil } from '../workspace/waiting.ts';
import type { WaitOptions } from '../workspace/waiting.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A caller's input: the record without the fields we set. Paths are workspace-relative and cleaned. */
export type RaiseInput = Omit<
  Extract<RecordInput, { kind: 'question.raised' }>,
  'kind' | 'v' | 'id' | 'expiresAt' | 'reopens'
>;

export interface Raised {
  readonly question: QuestionView;
  /** True when the same question was already open and is returned instead. */
  readonly already: boolean;
  /** True when an earlier answer is reused, without asking a human. */
  readonly earlier: boolean;
}

/**
 * Stores a question. Returns the open one with the same asker, work item and normalised text, and makes it sync if
 * asked so now.
 * @throws AppError `not_found` for an unregistered work item, `bad_input` naming the field and its limit
 */
export async function raiseQuestion(store: Store, session: AgentSession, input: RaiseInput): Promise<Raised> {
  const { id, already, earlier } = await asAgent(async () =>
    store.transact(session.actor, (view) => raise(view, session, input)),
  );
  const question = questionView(store.read(), id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  return { question, already, earlier };
}

function raise(
  view: View,
  session: AgentSession,
  input: RaiseInput,
): Act<Omit<Raised, 'question'> & { readonly id: string }> {
  const { state, now } = view;
  if (input.work !== null && !state.work.has(input.work))
    throw new AppError('not_found', `work item "${input.work}" is not registered`, { advice: registerFirst });
  for (const id of input.alsoWork ?? [])
    if (!state.work.has(id))
      throw new AppError('not_found', `work item "${id}" is not registered`, { advice: registerFirst });
  if (input.type === 'approval' && input.choices && input.choices.length > 0)
    throw new AppError(
      'bad_input',
      'choices: an approval question always has the choices Yes and No; leave choices out, or ask a decision.',
    );
  const mode = input.type === 'approval' ? 'sync' : input.mode;
  const same = state.pendingKeys.get(questionKey(session.actor.id, input.work, input.text.trim()));
  if (same !== undefined)
    return {
      records: widening(view, same, mode, input.holds ?? []),
      result: { id: same, already: true, earlier: false },
    };
  const before = answeredBefore(state, { ...input, text: input.text.trim() });
  if (before && input.reopenReason === undefined)
    return {
      records: [
        ...registration(state, session),
        { kind: 'answer.reused', v: 1, id: before.id, agent: session.actor.id },
      ],
      result: { id: before.id, already: false, earlier: true },
    };
  if (mode === 'sync') requireRoomToHold(state, session.actor.id);
  else requireRoomToAsk(state, session.actor.id);
  const id = nextQuestionId(state);
  const expiresAt = expiryOf(state, now);
  return {
    records: [
      ...registration(state, session),
      ...askForFormat(state, formatOf(input)),
      {
        ...input,
        ...approval(input),
        ...(before ? { reopens: before.id } : {}),
        kind: 'question.raised',
        v: 1,
        id,
        mode,
        expiresAt,
      },
    ],
    result: { id, already: false, earlier: false },
  };
}

/** Approval questions have the choices Yes and No, with a reason. */
function approval(input: RaiseInput): Pick<RaiseInput, 'choices' | 'multiple' | 'freeText'> {
  return input.type === 'approval'
    ? { choices: [{ label: 'Yes' }, { label: 'No' }], multiple: false, freeText: false }
    : {};
}

function widening(view: View, id: string, mode: QuestionRaised['mode'], holds: readonly string[]): RecordInput[] {
  const question = view.state.questions.get(id);
  const stricter = mode === 'sync' && question?.mode === 'async';
  const known = question ? [...question.raised.holds, ...question.addedHolds] : [];
  const addHolds = holds.filter((glob) => !known.includes(glob));
  if (!stricter && addHolds.length === 0) return [];
  return [{ kind: 'question.widened', v: 1, id, ...(stricter ? { mode: 'sync' as const } : {}), addHolds }];
}

/** Takes back an async question of the calling agent. @throws AppError `not_found`, `denied` */
export async function withdrawQuestion(
  store: Store,
  session: AgentSession,
  id: string,
  reason: string,
): Promise<QuestionView> {
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = withdrawalProblem(state, id, session.actor);
      if (problem !== null) throw new AppError(state.questions.has(id) ? 'denied' : 'not_found', problem);
      const record = { kind: 'question.withdrawn', v: 1, id, reason } as const;
      return { records: [...askForFormat(state, effectFormat), record], result: null };
    }),
  );
  const question = questionView(store.read(), id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  return question;
}

/** Open questions that the agent's next step depends on: its own, and those on its current work. */
export function openQuestionsOfAgent(view: View, agent: string): QuestionView[] {
  const open: QuestionView[] = [];
  for (const question of view.state.questions.values()) {
    if (!isWaiting(question)) continue;
    const found = questionView(view, question.id);
    if (found && (found.agent_id === agent || found.recipient === agent)) open.push(found);
  }
  return open;
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

/** Whether a human waits for the reply of this agent. Other agents that wait for the question go on waiting. */
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
