/** Who gets the outcome of a question, and what became of it there. */
import type { Rows } from '../../store/rows/sqlite.ts';

/**
 * Questions with their work, their RFC and their delivery to the recipient: whoever has the work now, else the author of
 * the RFC that asked, else the asker.
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
