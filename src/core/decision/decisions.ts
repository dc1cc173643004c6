/** Every kind of decision. A kind that is missing here does not compile. */
import type { SignedRecord, SignedEventRecord } from '../records/records.ts';
import type { Decision, DecisionKind, Decisions } from './decision.ts';
import { holdDecisions } from './hold.ts';
import { keyDecisions, workspaceDecisions } from './workspace.ts';
import { questionDecisions } from './question.ts';
import { rfcDecisions } from './rfc.ts';
import { closeEvent, postEvent, closingProblem, shownEvent, shownPost } from '../memory/event.ts';
import type { State } from '../state/state.ts';
import type { RequestDecision } from '../records/request.ts';
import { create, move, recordStep } from '../request/fold.ts';
import { askedContent, shownAppointment, shownRequest, type Doer } from '../request/request.ts';
import type { Deciding } from '../state/effect.ts';

// What humans do in project memory.

const ofEvent = {
  ruled: false,
  attested: false,
  shown: (state: State, { id, content }: { readonly id: string; readonly content: string }) =>
    shownEvent(state, id, content),
} as const;

const eventDecisions: Decisions<SignedEventRecord['kind']> = {
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

// What humans do about requests, by the same guardrails as agents.

interface OfRequest {
  readonly id: string;
  readonly content: string;
}

/** `content` binds the response to the request that was shown. */
const ofRequest = {
  ruled: false,
  attested: false,
  shown({ requests }: State, { id, content }: OfRequest) {
    const request = requests.get(id);
    return request?.content === content ? shownRequest(request) : null;
  },
  problem: ({ requests }: State, { id }: OfRequest) => (requests.has(id) ? null : `there is no open request ${id}`),
} as const;

const signer = ({ payload }: Deciding): Doer => ({ kind: 'human', id: payload.by, signed: true });

const requestDecisions: Decisions<RequestDecision['kind']> = {
  'responsibility.appointed': {
    ruled: false,
    attested: false,
    shown: (state, { id, responsibilityKind: kind, name, agents }) =>
      shownAppointment(state, { id, kind, name, agents }),
    problem({ responsibilities }, { id, responsibilityKind: kind, agents }) {
      const known = responsibilities.get(id);
      if (known && known.kind !== kind) return `${id} is already registered, as ${known.kind}`;
      return kind === 'human' && agents.length > 0 ? 'no agent acts for a human' : null;
    },
    apply({ state, change, line, payload }, { id, responsibilityKind: kind, name, agents }) {
      const registeredAt = state.responsibilities.get(id)?.registeredAt ?? line.time;
      const by = { registeredBy: payload.by, registeredAt };
      change.set(state.responsibilities, id, { id, kind, name, agents: [...new Set(agents)], ...by });
    },
  },
  'request.createdByHuman': {
    ruled: false,
    attested: false,
    shown: (_, record) => askedContent(record),
    problem: () => null,
    apply(at, record) {
      create(at, record, signer(at));
    },
  },
  'request.movedByHuman': {
    ...ofRequest,
    apply(at, record) {
      move(at, record, signer(at));
    },
  },
  'request.stepRecordedByHuman': {
    ...ofRequest,
    apply(at, record) {
      recordStep(at, record, signer(at));
    },
  },
};

export const decisions: Decisions<DecisionKind> = {
  ...questionDecisions,
  ...holdDecisions,
  ...rfcDecisions,
  ...eventDecisions,
  ...requestDecisions,
  ...workspaceDecisions,
  ...keyDecisions,
};

/** The definition of a record's kind. The table relates each kind to its definition; indexing by a union loses that. */
export function definitionOf({ kind }: Pick<SignedRecord, 'kind'>): Decision {
  return decisions[kind] as Decision;
}
