/** Whether the proposing agent has received the last decision on an RFC. */
import { deliveryOf } from '../../store/rows/deliveries.ts';
import type { View } from '../../store/store.ts';

/** Undefined while undecided; null until the agent has acknowledged it. */
export function acknowledgedAt(view: View, id: string): string | null | undefined {
  const rfc = view.state.rfcs.get(id);
  if (!rfc || rfc.decisions === 0) return undefined;
  return deliveryOf(view.rows, 'decision', id, { number: rfc.decisions, agent: rfc.asker.id })?.acknowledged_at ?? null;
}
