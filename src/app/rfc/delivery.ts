/**
 * Delivers decisions on RFCs like answers: offered until acknowledged. The last decision of an RFC goes to its author,
 * and to the owners of work that it names.
 */
import type { RecordInput } from '../../core/records/records.ts';
import { recipientsOf } from '../../core/rfc/rfc.ts';
import { deliveryOf, hasReceived } from '../../store/rows/deliveries.ts';
import type { View } from '../../store/store.ts';
import { undeliveredReviews } from './reviewDelivery.ts';
import { decisionsOf } from './parts.ts';
import type { Offering } from '../workspace/session.ts';
import { rfcSummary, type RfcSummary } from './views.ts';

/** RFCs whose last decision or review this agent has not acknowledged, oldest first. */
export function undeliveredRfcs(view: View, agent: string): RfcSummary[] {
  const news = [...undeliveredDecisions(view, agent), ...undeliveredReviews(view, agent)];
  const ids = new Set(news.sort((a, b) => a.at.localeCompare(b.at)).map(({ id }) => id));
  return [...ids].map((id) => rfcSummary(view, id)).filter((rfc) => rfc !== null);
}

function undeliveredDecisions(view: View, agent: string): { readonly id: string; readonly at: string }[] {
  return [...view.state.rfcs.values()]
    .filter((rfc) => rfc.decisions > 0 && recipientsOf(view.state, rfc).has(agent))
    .filter(
      ({ id, decisions: number }) => deliveryOf(view.rows, 'decision', id, { number, agent })?.acknowledged_at == null,
    )
    .map(({ id }) => ({ id, at: decisionsOf(view, id).at(-1)?.at ?? '' }));
}

/** Records that the last decisions of these RFCs are being delivered. */
export function offeringDecisions({ state, rows }: View, offering: Offering): RecordInput[] {
  const { agent, acknowledged } = offering;
  return offering.ids.flatMap((id): RecordInput[] => {
    const decision = state.rfcs.get(id)?.decisions ?? 0;
    if (decision === 0) return [];
    if (hasReceived(deliveryOf(rows, 'decision', id, { number: decision, agent }), offering)) return [];
    return [{ kind: acknowledged ? 'rfc.decisionAcknowledged' : 'rfc.decisionOffered', v: 1, id, decision, agent }];
  });
}
