/** Recipients of question outcomes, and their deliveries. */
import type { Rows } from '../../store/rows/sqlite.ts';

/** As `recipientOf` (core/state/askBack.ts) has it. */
const recipient = ['work_items.assigned_agent', 'rfcs.agent_id', 'questions.agent_id'] as const;

/** Questions with their work and their RFC. */
function withOwners({ query }: Rows) {
  return query
    .selectFrom('questions')
    .leftJoin('work_items', 'work_items.id', 'questions.work_id')
    .leftJoin('rfcs', 'rfcs.id', 'questions.rfc_id');
}

/** Questions with their recipient and the delivery to it. */
export function withRecipient(rows: Rows) {
  return withOwners(rows)
    .select((eb) => eb.fn.coalesce(...recipient).as('recipient'))
    .leftJoin('deliveries', (join) =>
      join
        .onRef('deliveries.question_id', '=', 'questions.id')
        .on((eb) => eb('deliveries.agent_id', '=', eb.fn.coalesce(...recipient))),
    );
}

/** Questions whose outcome this agent receives. */
export function receivedBy(rows: Rows, agent: string) {
  return withOwners(rows).where((eb) => eb(eb.fn.coalesce(...recipient), '=', agent));
}
