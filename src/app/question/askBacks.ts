/**
 * What humans asked back about questions, for agents: replying, and delivery until acknowledged. What a human asks goes to
 * the agent that receives the outcome: the current owner of the work, else the author of the RFC, else the asker.
 */
import { replyProblem } from '../../core/question/askBack.ts';
import { openAskBack } from '../../core/state/askBack.ts';
import type { AskBack } from '../../core/records/askBack.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { Question } from '../../core/state/state.ts';
import { recipient } from '../../store/rows/undeliveredTables.ts';
import type { Store, View } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession, Offering } from '../workspace/session.ts';

export interface AskBackView {
  readonly number: number;
  readonly text: string;
  readonly asked_by: string;
  readonly asked_at: string;
  /** Null until the agent has replied. */
  readonly reply: string | null;
  readonly replied_by: string | null;
  readonly replied_at: string | null;
}

export function askBackViews({ askBacks }: Pick<Question, 'askBacks'>): AskBackView[] {
  return askBacks.map(({ text, by, at, reply }: AskBack, index) => ({
    number: index + 1,
    text,
    asked_by: by,
    asked_at: at,
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
export function undeliveredAskBacks(view: View, agent: string): Asked[] {
  const { query, sql } = view.rows;
  // Few are open, while thousands of questions may be pending.
  const open = view.rows
    .all(query.selectFrom('ask_backs').select('question_id').where('reply', 'is', null))
    .map((row) => row.question_id);
  if (open.length === 0) return [];
  return view.rows.all(
    query
      .selectFrom('questions')
      .leftJoin('work_items', 'work_items.id', 'questions.work_id')
      .leftJoin('rfcs', 'rfcs.id', 'questions.rfc_id')
      .innerJoin('ask_backs', 'ask_backs.question_id', 'questions.id')
      .leftJoin('ask_back_deliveries', (join) =>
        join
          .onRef('ask_back_deliveries.question_id', '=', 'ask_backs.question_id')
          .onRef('ask_back_deliveries.number', '=', 'ask_backs.number')
          .on('ask_back_deliveries.agent_id', '=', agent),
      )
      .select(['ask_backs.question_id as id', 'ask_backs.number'])
      .where(sql.raw<string>(recipient), '=', agent)
      .where('ask_backs.reply', 'is', null)
      .where('questions.id', 'in', open)
      .where('questions.status', '=', 'pending')
      .where('ask_back_deliveries.acknowledged_at', 'is', null)
      .orderBy('ask_backs.asked_at')
      .orderBy('questions.number'),
  );
}

/** What this session was offered and has therefore received. */
export function offeredAskBacks(view: View, agent: string, session: string): RecordInput[] {
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('ask_back_deliveries')
      .select(['question_id', 'number'])
      .where('agent_id', '=', agent)
      .where('session', '=', session)
      .where('acknowledged_at', 'is', null),
  );
  return rows.map(({ question_id, number }) => ({
    ...{ kind: 'question.askBackAcknowledged', v: 1 },
    ...{ id: question_id, number, agent },
  }));
}

/** Records that the ask-backs of these questions are being delivered. */
export function offeringAskBacks(view: View, { agent, session, ids, acknowledged }: Offering): RecordInput[] {
  const { rows, state } = view;
  return ids.flatMap((id): RecordInput[] => {
    const question = state.questions.get(id);
    if (!question || openAskBack(question) === null) return [];
    const number = question.askBacks.length;
    const row = rows.first(
      rows.query
        .selectFrom('ask_back_deliveries')
        .select(['session', 'acknowledged_at'])
        .where('question_id', '=', id)
        .where('number', '=', number)
        .where('agent_id', '=', agent),
    );
    if (row && (row.acknowledged_at !== null || (!acknowledged && row.session === session))) return [];
    const kind = acknowledged ? 'question.askBackAcknowledged' : 'question.askBackOffered';
    return [{ kind, v: 1, id, number, agent }];
  });
}
