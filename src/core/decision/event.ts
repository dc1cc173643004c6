/** What humans do in project memory. */
import type { SignedEventRecord } from '../records/event.ts';
import { closeEvent, postEvent } from '../memory/fold.ts';
import { closingProblem, shownEvent, shownPost } from '../memory/event.ts';
import type { State } from '../state/state.ts';
import type { Decisions } from './decision.ts';

const ofEvent = {
  ruled: false,
  attested: false,
  shown: (state: State, { id, content }: { readonly id: string; readonly content: string }) =>
    shownEvent(state, id, content),
} as const;

export const eventDecisions: Decisions<SignedEventRecord['kind']> = {
  'event.postedByHuman': {
    ruled: false,
    attested: false,
    shown: (_, record) => shownPost(record),
    problem: () => null,
    apply(at, record) {
      postEvent(at, record, 'human');
    },
  },
  'event.closedByHuman': { ...ofEvent, problem: closingProblem, apply: closeEvent },
  /** A proposal is accepted by the signed closing itself. */
  'event.proposalDeclined': {
    ...ofEvent,
    problem: ({ proposals }, { id }) => (proposals.has(id) ? null : `there is no open proposal to close ${id}`),
    apply({ state, change }, { id }) {
      change.unset(state.proposals, id);
    },
  },
};
