/** Recipients of question outcomes, and their deliveries. */
import type { Question, State } from '../../core/state/state.ts';
import type { Rows } from '../../store/rows/sqlite.ts';

/** The current owner of the work, else the author of the RFC, else the asker. */
const recipient = ['work_items.assigned_agent', 'rfcs.agent_id', 'questions.agent_id'] as const;

/** The same from the state. */
export function recipientOf({ work, rfcs }: State, { work: id, facts, asker }: Question): string {
  const owner = id === null ? null : (work.get(id)?.assignee ?? null);
  return owner ?? (facts.rfc === null ? undefined : rfcs.get(facts.rfc)?.asker.id) ?? asker.id;
}

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
