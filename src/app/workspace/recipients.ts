/** Recipients of question outcomes, and their deliveries. */
import type { Rows } from '../../store/rows/sqlite.ts';

/**
 * Questions with their work, their RFC and the delivery to the recipient: the current owner of the work, else the
 * author of the RFC, else the asker.
 */
export function withRecipient({ query }: Rows) {
  return query
    .selectFrom('questions')
    .leftJoin('work_items', 'work_items.id', 'questions.work_id')
    .leftJoin('rfcs', 'rfcs.id', 'questions.rfc_id')
    .select((eb) => eb.fn.coalesce('work_items.assigned_agent', 'rfcs.agent_id', 'questions.agent_id').as('recipient'))
    .leftJoin('deliveries', (join) =>
      join
        .onRef('deliveries.question_id', '=', 'questions.id')
        .on((eb) =>
          eb(
            'deliveries.agent_id',
            '=',
            eb.fn.coalesce('work_items.assigned_agent', 'rfcs.agent_id', 'questions.agent_id'),
          ),
        ),
    );
}
