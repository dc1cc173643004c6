/** Whether the proposing agent has received the last decision on an RFC. */
import type { View } from '../../store/store.ts';

/** Undefined while undecided; null until the agent has acknowledged it. */
export function acknowledgedAt(view: View, id: string): string | null | undefined {
  const rfc = view.state.rfcs.get(id);
  if (!rfc || rfc.decisions === 0) return undefined;
  const row = view.rows.first(
    view.rows.query
      .selectFrom('rfc_deliveries')
      .select('acknowledged_at')
      .where('rfc_id', '=', id)
      .where('decision', '=', rfc.decisions)
      .where('agent_id', '=', rfc.asker.id),
  );
  return row?.acknowledged_at ?? null;
}
