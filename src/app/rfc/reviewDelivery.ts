/**
 * Delivers AI reviews like answers: offered until acknowledged. The last review of the latest revision goes to the
 * RFC's writers while it is undecided.
 */
import type { RecordInput } from '../../core/records/records.ts';
import type { View } from '../../store/store.ts';
import type { Offering } from '../workspace/session.ts';

interface Reviewed {
  readonly id: string;
  readonly review: number;
  readonly at: string;
  /** The session that it was last offered to. */
  readonly session: string | null;
}

/** A verdict ends a review; without one, the review went to a human and is not delivered to the author. */
function lastReviews({ rows }: View) {
  return rows.query
    .selectFrom('rfcs')
    .innerJoin('rfc_reviews', (join) =>
      join
        .onRef('rfc_reviews.rfc_id', '=', 'rfcs.id')
        .onRef('rfc_reviews.revision', '=', 'rfcs.revision')
        .onRef('rfc_reviews.number', '=', 'rfcs.review_count'),
    )
    .where('rfc_reviews.verdict', 'is not', null)
    .where('rfc_reviews.stage', '<>', 'questions_pending')
    .where((eb) =>
      eb.or([eb('rfcs.review_status', 'in', ['draft', 'under_review']), eb('rfcs.amendment', 'is not', null)]),
    );
}

/** Reviews that this agent has not acknowledged, oldest first. */
export function undeliveredReviews(view: View, agent: string): Reviewed[] {
  if (view.state.rfcs.size === 0) return [];
  return view.rows.all(
    lastReviews(view)
      .leftJoin('rfc_review_deliveries', (join) =>
        join
          .onRef('rfc_review_deliveries.rfc_id', '=', 'rfcs.id')
          .onRef('rfc_review_deliveries.review', '=', 'rfc_reviews.number')
          .on('rfc_review_deliveries.agent_id', '=', agent),
      )
      .select([
        'rfcs.id',
        'rfc_reviews.number as review',
        'rfc_reviews.reviewed_at as at',
        'rfc_review_deliveries.session',
      ])
      .where((eb) => eb(eb.fn.coalesce('rfcs.keeper', 'rfcs.agent_id'), '=', agent))
      .where('rfc_review_deliveries.acknowledged_at', 'is', null)
      .orderBy('rfc_reviews.reviewed_at'),
  );
}

/** What this session was offered and has therefore received. */
export function offeredReviews(view: View, agent: string, session: string): RecordInput[] {
  if (view.state.rfcs.size === 0) return [];
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('rfc_review_deliveries')
      .select(['rfc_id', 'review'])
      .where('agent_id', '=', agent)
      .where('session', '=', session)
      .where('acknowledged_at', 'is', null),
  );
  return rows.map(({ rfc_id, review }) => ({ kind: 'rfc.reviewAcknowledged', v: 1, id: rfc_id, review, agent }));
}

/** Records that the reviews of these RFCs are being delivered. */
export function offeringReviews(view: View, { agent, session, ids, acknowledged }: Offering): RecordInput[] {
  const fresh = undeliveredReviews(view, agent).filter(
    (one) => ids.includes(one.id) && (acknowledged || one.session !== session),
  );
  if (fresh.length === 0) return [];
  const kind = acknowledged ? 'rfc.reviewAcknowledged' : 'rfc.reviewOffered';
  return fresh.map(({ id, review }) => ({ kind, v: 1, id, review, agent }));
}
