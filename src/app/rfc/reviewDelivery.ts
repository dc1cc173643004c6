/**
 * Delivers AI reviews like answers: offered until acknowledged. The last review of the latest revision goes to the
 * RFC's writers while it is undecided.
 */
import type { RecordInput } from '../../core/records/records.ts';
import { latestRevision } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import { deliveryOf, hasReceived, type Delivery } from '../../store/rows/deliveries.ts';
import type { View } from '../../store/store.ts';
import type { Offering } from '../workspace/session.ts';
import { reviewsOf } from './parts.ts';

interface Reviewed {
  readonly id: string;
  readonly review: number;
  readonly at: string;
  readonly delivery: Delivery | undefined;
}

/** Reviews that this agent has not acknowledged, oldest first. */
export function undeliveredReviews(view: View, agent: string): Reviewed[] {
  return [...view.state.rfcs.values()]
    .filter((rfc) => (rfc.keeper ?? rfc.asker.id) === agent)
    .flatMap((rfc) => lastReview(view, rfc, agent) ?? [])
    .filter(({ delivery }) => delivery?.acknowledged_at == null)
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** A verdict ends a review; without one, the review went to a human and is not delivered to the author. */
function lastReview(view: View, rfc: Rfc, agent: string): Reviewed | null {
  const { id, status, amendment, review } = rfc;
  if (review.count === 0 || (status !== 'draft' && status !== 'under_review' && amendment === null)) return null;
  const last = reviewsOf(view, id).find(({ number }) => number === review.count);
  if (last?.verdict == null || last.stage === 'questions_pending') return null;
  if (last.revision !== latestRevision(rfc).number) return null;
  const { number, at } = last;
  return { id, review: number, at, delivery: deliveryOf(view.rows, 'review', id, { number, agent }) };
}

export function offeringReviews(view: View, offering: Offering): RecordInput[] {
  const { agent, ids, acknowledged } = offering;
  const kind = acknowledged ? 'rfc.reviewAcknowledged' : 'rfc.reviewOffered';
  return undeliveredReviews(view, agent)
    .filter(({ id, delivery }) => ids.includes(id) && !hasReceived(delivery, offering))
    .map(({ id, review }) => ({ kind, v: 1, id, review, agent }));
}
