/** Facts about requests for the dashboard figures. */
import type { RequestFacts } from '../../core/dashboard/steward.ts';
import type { View } from '../../store/store.ts';

/** All requests of this workspace, with the times of SLA breaches. */
export function requestFacts({ rows, state }: View): RequestFacts[] {
  const workspace = state.workspace?.id ?? '';
  const breaches = new Map(
    rows
      .all(
        rows.query
          .selectFrom('request_events')
          .select(['request_id', 'event_type', 'created_at'])
          .where('workspace_id', '=', workspace)
          .where('event_type', 'in', ['sla_response_breached', 'sla_completion_breached']),
      )
      .map(({ request_id, event_type, created_at }) => [`${request_id} ${event_type}`, created_at]),
  );
  return rows
    .all(rows.query.selectFrom('requests').selectAll().where('workspace_id', '=', workspace))
    .map((request) => ({
      target: request.target_responsibility_id,
      status: request.status,
      created_at: request.created_at,
      available_at: request.available_at,
      responded_at: request.responded_at,
      accepted_at: request.accepted_at,
      processed_at: request.processed_at,
      closed_at: request.closed_at,
      response_breached_at: breaches.get(`${request.id} sla_response_breached`) ?? null,
      completion_breached_at: breaches.get(`${request.id} sla_completion_breached`) ?? null,
    }));
}
