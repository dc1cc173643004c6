/**
 * Decisions on RFCs and AI reviews are delivered like answers: offered until acknowledged. The last decision of an RFC
 * goes to its author, and to the owners of work that it names; the last review of the latest revision goes to the RFC's
 * writers while it is undecided.
 */
import type { Rfc } from '../../core/state/items.ts';
import { latestRevision, recipientsOf } from '../../core/rfc/rfc.ts';
import { deliveryOf, type Delivery } from '../../store/rows/deliveries.ts';
import type { View } from '../../store/store.ts';
import { decisionsOf, reviewsOf } from './parts.ts';
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

interface Reviewed {
  readonly id: string;
  readonly number: number;
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
  return { id, number, at, delivery: deliveryOf(view.rows, 'review', id, { number, agent }) };
}
