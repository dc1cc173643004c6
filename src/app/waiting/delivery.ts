/**
 * At-least-once delivery of outcomes: offered with every result until the agent's next call shows that it received the
 * offer. Delivered to the current owner of the work, else the author of the RFC, else the asker.
 */
import type { RecordInput } from '../../core/records/records.ts';
import { deliveryOf, hasReceived, openOffers, type Delivery } from '../../store/rows/deliveries.ts';
import type { Store, View } from '../../store/store.ts';
import { registration, type AgentSession } from '../workspace/session.ts';
import { offeringDecisions } from '../rfc/delivery.ts';
import { offeringNotices } from '../request/notices.ts';
import { offeringReviews } from '../rfc/reviewDelivery.ts';
import { offeringAskBacks, undeliveredAskBacks } from '../question/askBacks.ts';
import { questionView, type QuestionView } from '../question/views.ts';

/**
 * Questions of which this agent has not acknowledged the outcome, oldest decision first; then those about which a human
 * asks it something.
 */
export function undeliveredQuestions(view: View, agent: string): QuestionView[] {
  const decided = view.rows.all<{ id: string }>(
    `SELECT id FROM items WHERE kind = 'question' AND awaits = ? ORDER BY resolved_at`,
    agent,
  );
  return [...decided, ...undeliveredAskBacks(view, agent)]
    .map(({ id }) => questionView(view, id))
    .filter((question) => question !== null);
}

/**
 * Acknowledges earlier offers: the agent made another call, so it received them. Returns the ids. Offers to another
 * session may have been lost with it, and are repeated.
 */
export async function acknowledgeOffered(store: Store, session: AgentSession): Promise<string[]> {
  if (store.workspaceId === null || store.readOnly) return [];
  const agent = session.actor.id;
  return store.transact(session.actor, (view) => {
    const offers = openOffers(view.rows, agent, session.actor.session ?? '');
    return {
      records: offers.map((offer) => acknowledgement(offer, agent)),
      result: offers.filter(({ what }) => what === 'outcome').map(({ subject }) => subject),
    };
  });
}

function acknowledgement({ what, subject: id, number }: Delivery, agent: string): RecordInput {
  switch (what) {
    case 'outcome':
      return { kind: 'outcome.acknowledged', v: 1, id, agent };
    case 'ask_back':
      return { kind: 'question.askBackAcknowledged', v: 1, id, number, agent };
    case 'decision':
      return { kind: 'rfc.decisionAcknowledged', v: 1, id, decision: number, agent };
    case 'review':
      return { kind: 'rfc.reviewAcknowledged', v: 1, id, review: number, agent };
    case 'notice':
      return { kind: 'request.noticeAcknowledged', v: 1, id, notice: number, agent };
  }
}

/** Records that these outcomes are being delivered. `acknowledged`: the agent was waiting for exactly these. */
export async function recordOffer(
  store: Store,
  session: AgentSession,
  ids: readonly string[],
  acknowledged: boolean,
): Promise<void> {
  const agent = session.actor.id;
  await store.transact(session.actor, (view) => {
    const offering = { agent, session: session.actor.session ?? '', ids, acknowledged };
    const fresh = ids.filter(
      (id) =>
        view.state.questions.get(id)?.resolution &&
        !hasReceived(deliveryOf(view.rows, 'outcome', id, { agent }), offering),
    );
    const kind = acknowledged ? 'outcome.acknowledged' : 'outcome.offered';
    const records = [
      ...fresh.map((id): RecordInput => ({ kind, v: 1, id, agent })),
      ...offeringAskBacks(view, offering),
      ...offeringDecisions(view, offering),
      ...offeringReviews(view, offering),
      ...offeringNotices(view, offering),
    ];
    return { records: records.length === 0 ? [] : [...registration(view.state, session), ...records], result: null };
  });
}
