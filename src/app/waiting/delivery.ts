/**
 * At-least-once delivery of outcomes: offered with every result until the agent's next call shows that it received the
 * offer. Delivered to the current owner of the work, else the author of the RFC, else the asker.
 */
import type { RecordInput } from '../../core/records/records.ts';
import type { Store, View } from '../../store/store.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession } from '../workspace/session.ts';
import { offeredDecisions, offeringDecisions } from '../rfc/delivery.ts';
import { offeredNotices, offeringNotices } from '../request/notices.ts';
import { offeredReviews, offeringReviews } from '../rfc/reviewDelivery.ts';
import { offeredAskBacks, offeringAskBacks, undeliveredAskBacks } from '../question/askBacks.ts';
import { questionView } from '../question/views.ts';
import type { QuestionView } from '../question/views.ts';

/**
 * Questions of which this agent has not acknowledged the outcome, oldest decision first; then those about which a human
 * asks it something.
 */
export function undelivered(view: View, agent: string): QuestionView[] {
  if (view.state.questions.size === 0) return [];
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('undelivered')
      .innerJoin('questions', 'questions.id', 'undelivered.question_id')
      .select('questions.id')
      .where('undelivered.agent_id', '=', agent)
      .orderBy('questions.answered_at'),
  );
  return [...rows, ...undeliveredAskBacks(view, agent)]
    .map(({ id }) => questionView(view, id))
    .filter((question) => question !== null);
}

/**
 * Acknowledges earlier offers: the agent made another call, so it received them. Returns the ids. Offers to another
 * session may have been lost with it, and are repeated.
 */
export async function acknowledgeOffered(store: Store, session: AgentSession): Promise<string[]> {
  if (store.workspaceId === null || store.readOnly) return [];
  const agent = session.actor.id;
  return store.transact(session.actor, (view) => {
    const ids = view.rows
      .all(
        view.rows.query
          .selectFrom('deliveries')
          .select('question_id')
          .where('agent_id', '=', agent)
          .where('session', '=', session.actor.session ?? '')
          .where('acknowledged_at', 'is', null),
      )
      .map((row) => row.question_id);
    const records = ids.map((id): RecordInput => ({ kind: 'outcome.acknowledged', v: 1, id, agent }));
    return {
      records: [
        ...records,
        ...offeredAskBacks(view, agent, session.actor.session ?? ''),
        ...offeredDecisions(view, agent, session.actor.session ?? ''),
        ...offeredReviews(view, agent, session.actor.session ?? ''),
        ...offeredNotices(view, agent, session.actor.session ?? ''),
      ],
      result: ids,
    };
  });
}

/** Records that these outcomes are being delivered. `acknowledged`: the agent was waiting for exactly these. */
export async function recordOffer(
  store: Store,
  session: AgentSession,
  ids: readonly string[],
  acknowledged: boolean,
): Promise<void> {
  const agent = session.actor.id;
  await store.transact(session.actor, (view) => {
    const { query, sql } = view.rows;
    // As JSON: there may be more of them than SQLite takes parameters.
    const among = sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;
    const done = view.rows
      .all(query.selectFrom('deliveries').selectAll().where('agent_id', '=', agent).where('question_id', 'in', among))
      .filter((row) => row.acknowledged_at !== null || (!acknowledged && row.session === (session.actor.session ?? '')))
      .map((row) => row.question_id);
    const fresh = ids.filter((id) => !done.includes(id) && view.state.questions.get(id)?.resolution);
    const kind = acknowledged ? 'outcome.acknowledged' : 'outcome.offered';
    const offering = { agent, session: session.actor.session ?? '', ids, acknowledged };
    const records = [
      ...fresh.map((id): RecordInput => ({ kind, v: 1, id, agent })),
      ...offeringAskBacks(view, offering),
      ...offeringDecisions(view, offering),
      ...offeringReviews(view, offering),
      ...offeringNotices(view, offering),
    ];
    return { records: records.length === 0 ? [] : [...registration(view.state, session), ...records], result: null };
  });
}
