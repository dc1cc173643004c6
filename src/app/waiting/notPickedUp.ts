/** Human decisions on questions and RFCs that their agents have not acknowledged. */
import type { Unacknowledged } from '../../core/dashboard/agents.ts';
import type { View } from '../../store/store.ts';

/** Oldest decision first. */
export function notPickedUp(view: View): Unacknowledged[] {
  const { questions, rfcs } = view.state;
  const all = [...(questions.size === 0 ? [] : answers(view)), ...(rfcs.size === 0 ? [] : rfcDecisions(view))];
  return all.sort((a, b) => (a.decided_at < b.decided_at ? -1 : a.decided_at > b.decided_at ? 1 : 0));
}

/** Each is delivered to one agent. */
function answers({ rows, now }: View): Unacknowledged[] {
  const found = rows.all(
    rows.query
      .selectFrom('undelivered')
      .innerJoin('questions', 'questions.id', 'undelivered.question_id')
      .select(['questions.id', 'undelivered.agent_id', 'questions.answered_at']),
  );
  return found.map(({ id, agent_id, answered_at }) => ({ id, agent_id, decided_at: answered_at ?? now }));
}

/** The last decision on an RFC is delivered to its author and to the owners of work that it names. */
function rfcDecisions({ rows }: View): Unacknowledged[] {
  const named = rows.query
    .selectFrom('rfc_work')
    .innerJoin('work_items', 'work_items.id', 'rfc_work.work_id')
    .select(['rfc_work.rfc_id', 'work_items.assigned_agent as agent_id'])
    .where('work_items.assigned_agent', 'is not', null)
    .$castTo<{ rfc_id: string; agent_id: string }>();
  const recipients = rows.query.selectFrom('rfcs').select(['rfcs.id as rfc_id', 'rfcs.agent_id']).union(named);
  return rows.all(
    rows.query
      .selectFrom(recipients.as('recipients'))
      .innerJoin('rfcs', 'rfcs.id', 'recipients.rfc_id')
      .innerJoin('rfc_decisions', (join) =>
        join.onRef('rfc_decisions.rfc_id', '=', 'rfcs.id').onRef('rfc_decisions.number', '=', 'rfcs.decision'),
      )
      .leftJoin('rfc_deliveries', (join) =>
        join
          .onRef('rfc_deliveries.rfc_id', '=', 'rfcs.id')
          .onRef('rfc_deliveries.decision', '=', 'rfcs.decision')
          .onRef('rfc_deliveries.agent_id', '=', 'recipients.agent_id'),
      )
      .select(['recipients.rfc_id as id', 'recipients.agent_id', 'rfc_decisions.decided_at'])
      .where('rfc_deliveries.acknowledged_at', 'is', null),
  );
}
