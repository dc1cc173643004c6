/** What humans do in project memory. `content` binds a decision to the event that was shown: the state keeps no texts. */
import { eventId, otherText, sha256Hex } from '../kit/fields.ts';
import { closeEvent, postEvent, closingProblem, shownEvent, shownPost } from '../memory/event.ts';
import { eventClosing, eventContent } from '../records/plain.ts';
import type { State } from '../state/state.ts';
import { defineDecision } from './decision.ts';

const ofEvent = {
  ruled: false,
  attested: false,
  shown: (state: State, { id, content }: { readonly id: string; readonly content: string }) =>
    shownEvent(state, id, content),
} as const;

export const eventDecisions = [
  defineDecision('event.postedByHuman', () => ({ id: eventId, ...eventContent }), {
    ruled: false,
    attested: false,
    shown: (_, record) => shownPost(record),
    problem: () => null,
    apply(at, record) {
      postEvent(at, record, 'human');
    },
  }),
  defineDecision('event.closedByHuman', () => ({ ...eventClosing, content: sha256Hex }), {
    ...ofEvent,
    problem: closingProblem,
    apply: closeEvent,
  }),
  /** A proposal is accepted by the signed closing itself. */
  defineDecision('event.proposalDeclined', () => ({ id: eventId, reason: otherText.optional(), content: sha256Hex }), {
    ...ofEvent,
    problem: ({ proposals }, { id }) => (proposals.has(id) ? null : `there is no open proposal to close ${id}`),
    apply({ state, change }, { id }) {
      change.unset(state.proposals, id);
    },
  }),
] as const;
