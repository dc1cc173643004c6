/**
 * What humans asked back about questions, for agents: replying, and delivery until acknowledged. What a human asks goes to
 * the agent that receives the outcome: the current owner of the work, else the author of the RFC, else the asker.
 */
import type { ItemOf } from '../../core/records/parts.ts';
import { replyProblem } from '../../core/question/fold.ts';
import { type Question, undecidedQuestions, openAskBack, recipientOf } from '../../core/state/state.ts';
import type { AskBack } from '../../core/records/question.ts';
import { deliveryOf } from '../../store/rows/deliveries.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { registration, type AgentSession } from '../workspace/session.ts';

export interface AskBackView extends ItemOf<ReturnType<typeof askBackViews>> {}

export function askBackViews({ askBacks }: Pick<Question, 'askBacks'>) {
  return askBacks.map(({ text, by, at, reply }: AskBack, index) => ({
    number: index + 1,
    text,
    asked_by: by,
    asked_at: at,
    /** Null until the agent has replied. */
    reply: reply?.text ?? null,
    replied_by: reply?.by ?? null,
    replied_at: reply?.at ?? null,
  }));
}

/**
 * Sends an agent's reply to what a human asked back. The question keeps all that it holds.
 * @throws AppError `not_found`; `denied` to another agent; `conflict` when no human waits for a reply
 */
export async function replyToHuman(store: Store, session: AgentSession, id: string, text: string): Promise<void> {
  await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const problem = replyProblem(state, id, session.actor);
      const question = state.questions.get(id);
      if (!question) throw new AppError('not_found', problem ?? id);
      if (problem !== null)
        throw new AppError(openAskBack(question) === null ? 'conflict' : 'denied', problem, {
          advice: (guide) => `${guide.call} ${guide.name('await_answer', { id })} to wait for the human.`,
        });
      const record = { kind: 'question.replied', v: 1, id, number: question.askBacks.length, text } as const;
      return { records: [...registration(state, session), record], result: null };
    }),
  );
}

interface Asked {
  readonly id: string;
  readonly number: number;
}

/** Unanswered ones that this agent has not acknowledged, oldest first. */
export function undeliveredAskBacks({ rows, state }: View, agent: string): Asked[] {
  return undecidedQuestions(state)
    .filter((question) => openAskBack(question) !== null && recipientOf(state, question) === agent)
    .map(({ id, askBacks }) => ({ id, number: askBacks.length, at: askBacks.at(-1)?.at ?? '' }))
    .filter(({ id, number }) => deliveryOf(rows, 'ask_back', id, { number, agent })?.acknowledged_at == null)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
