/** Human decisions on questions and RFCs that their agents have not acknowledged. */
import type { Unacknowledged } from '../../core/dashboard/agents.ts';
import { holderName } from '../../core/hold/holds.ts';
import { recipientsOf } from '../../core/rfc/rfc.ts';
import { deliveryOf } from '../../store/rows/deliveries.ts';
import type { View } from '../../store/store.ts';
import { decisionsOf } from '../rfc/parts.ts';

/** Oldest decision first. */
export function notPickedUp(view: View): Unacknowledged[] {
  const all = [...answers(view), ...rfcDecisions(view)];
  return all.sort((a, b) => (a.decided_at < b.decided_at ? -1 : a.decided_at > b.decided_at ? 1 : 0));
}

/** Each is delivered to one agent. */
function answers({ rows, state }: View): Unacknowledged[] {
  if (state.questions.size === 0) return [];
  return rows.all<Unacknowledged>(
    'SELECT id, awaits AS agent_id, text AS name, resolved_at AS decided_at FROM items WHERE awaits IS NOT NULL ORDER BY number',
  );
}

/** The last decision on an RFC is delivered to each of its recipients. */
function rfcDecisions(view: View): Unacknowledged[] {
  const { rows, state } = view;
  return [...state.rfcs.values()].flatMap((rfc) => {
    const { id, decisions: number } = rfc;
    if (number === 0) return [];
    const waiting = [...recipientsOf(state, rfc)].filter(
      (agent) => deliveryOf(rows, 'decision', id, { number, agent })?.acknowledged_at == null,
    );
    if (waiting.length === 0) return [];
    const decided_at = decisionsOf(view, id).at(-1)?.at ?? view.now;
    return waiting.map((agent_id) => ({ id, agent_id, name: holderName(rfc), decided_at }));
  });
}
