/**
 * At-least-once delivery of outcomes: offered with every result until the agent's next call shows that it received the
 * offer. Delivered to the current owner of the work, else the author of the RFC, else the asker.
 */
import { openAskBack } from '../../core/state/state.ts';
import { type Delivered, deliveryOf, deliveryRecord, hasReceived, openOffers } from '../../store/rows/read.ts';
import type { Store, View } from '../../store/store.ts';
import { registration, type AgentSession } from '../workspace/session.ts';
import { undeliveredReviews } from '../rfc/views.ts';
import { unacknowledgedNotices } from '../request/views.ts';
import { undeliveredAskBacks, questionView, type QuestionView } from '../question/views.ts';
import type { Unacknowledged } from '../../core/dashboard/agents.ts';
import { holderName } from '../../core/hold/holds.ts';
import { recipientsOf } from '../../core/rfc/rfc.ts';
import { decisionsOf } from '../rfc/parts.ts';

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
      records: offers.map((offer) => deliveryRecord(offer, true)),
      result: offers.filter(({ what }) => what === 'outcome').map(({ subject }) => subject),
    };
  });
}

/** What there is to deliver to an agent, of these items. */
const due: Readonly<Record<Delivered, (view: View, agent: string, ids: readonly string[]) => Numbered[]>> = {
  outcome: ({ state }, _, ids) => ids.flatMap((id) => (state.questions.get(id)?.resolution ? [{ id, number: 0 }] : [])),
  ask_back: ({ state }, _, ids) =>
    ids.flatMap((id) => {
      const question = state.questions.get(id);
      return question && openAskBack(question) !== null ? [{ id, number: question.askBacks.length }] : [];
    }),
  decision: ({ state }, _, ids) =>
    ids.flatMap((id) => {
      const number = state.rfcs.get(id)?.decisions ?? 0;
      return number === 0 ? [] : [{ id, number }];
    }),
  review: (view, agent, ids) => undeliveredReviews(view, agent).filter(({ id }) => ids.includes(id)),
  notice: (view, agent, ids) => unacknowledgedNotices(view, agent).filter(({ id }) => ids.includes(id)),
};

interface Numbered {
  readonly id: string;
  readonly number: number;
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
    const offering = { session: session.actor.session ?? '', acknowledged };
    const records = (Object.keys(due) as Delivered[]).flatMap((what) =>
      due[what](view, agent, ids)
        .filter(({ id, number }) => !hasReceived(deliveryOf(view.rows, what, id, { number, agent }), offering))
        .map(({ id, number }) => deliveryRecord({ what, subject: id, number, agent }, acknowledged)),
    );
    return { records: records.length === 0 ? [] : [...registration(view.state, session), ...records], result: null };
  });
}

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
