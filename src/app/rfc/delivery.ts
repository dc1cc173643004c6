/**
 * Delivers decisions on RFCs like answers: offered until acknowledged. The last decision of an RFC goes to its author,
 * and to the owners of work that it names.
 */
import type { RecordInput } from '../../core/records/records.ts';
import type { View } from '../../store/store.ts';
import { undeliveredReviews } from './reviewDelivery.ts';
import type { Offering } from '../workspace/session.ts';
import { rfcSummary } from './views.ts';
import type { RfcSummary } from './views.ts';

/** RFCs whose last decision or review this agent has not acknowledged, oldest first. */
export function undeliveredRfcs(view: View, agent: string): RfcSummary[] {
  if (view.state.rfcs.size === 0) return [];
  const news = [...undeliveredDecisions(view, agent), ...undeliveredReviews(view, agent)];
  const ids = new Set(news.sort((a, b) => a.at.localeCompare(b.at)).map(({ id }) => id));
  return [...ids].map((id) => rfcSummary(view, id)).filter((rfc) => rfc !== null);
}

function undeliveredDecisions(view: View, agent: string): { readonly id: string; readonly at: string }[] {
  return view.rows.all(
    view.rows.query
      .selectFrom('rfcs')
      .innerJoin('rfc_decisions', (join) =>
        join.onRef('rfc_decisions.rfc_id', '=', 'rfcs.id').onRef('rfc_decisions.number', '=', 'rfcs.decision'),
      )
      .leftJoin('rfc_deliveries', (join) =>
        join
          .onRef('rfc_deliveries.rfc_id', '=', 'rfcs.id')
          .onRef('rfc_deliveries.decision', '=', 'rfcs.decision')
          .on('rfc_deliveries.agent_id', '=', agent),
      )
      .select(['rfcs.id', 'rfc_decisions.decided_at as at'])
      .where('rfc_deliveries.acknowledged_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb('rfcs.agent_id', '=', agent),
          eb(
            'rfcs.id',
            'in',
            eb
              .selectFrom('rfc_work')
              .innerJoin('work_items', 'work_items.id', 'rfc_work.work_id')
              .select('rfc_work.rfc_id')
              .where('work_items.assigned_agent', '=', agent),
          ),
        ]),
      )
      .orderBy('rfc_decisions.decided_at'),
  );
}

/** What this session was offered and has therefore received. */
export function offeredDecisions(view: View, agent: string, session: string): RecordInput[] {
  if (view.state.rfcs.size === 0) return [];
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('rfc_deliveries')
      .select(['rfc_id', 'decision'])
      .where('agent_id', '=', agent)
      .where('session', '=', session)
      .where('acknowledged_at', 'is', null),
  );
  return rows.map(({ rfc_id, decision }) => ({ kind: 'rfc.decisionAcknowledged', v: 1, id: rfc_id, decision, agent }));
}

/** Records that the last decisions of these RFCs are being delivered. */
export function offeringDecisions(view: View, { agent, session, ids, acknowledged }: Offering): RecordInput[] {
  return ids.flatMap((id): RecordInput[] => {
    const decision = view.state.rfcs.get(id)?.decisions ?? 0;
    if (decision === 0) return [];
    const row = view.rows.first(
      view.rows.query
        .selectFrom('rfc_deliveries')
        .selectAll()
        .where('rfc_id', '=', id)
        .where('decision', '=', decision)
        .where('agent_id', '=', agent),
    );
    if (row && (row.acknowledged_at !== null || (!acknowledged && row.session === session))) return [];
    return [{ kind: acknowledged ? 'rfc.decisionAcknowledged' : 'rfc.decisionOffered', v: 1, id, decision, agent }];
  });
}
