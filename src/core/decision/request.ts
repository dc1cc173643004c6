/** What humans do about requests, by the same guardrails as agents. */
import type { RequestDecision } from '../records/request.ts';
import { create, move, recordStep } from '../request/fold.ts';
import { askedContent, shownAppointment, shownRequest, type Doer } from '../request/request.ts';
import type { Deciding } from '../state/effect.ts';
import type { State } from '../state/state.ts';
import type { Decisions } from './decision.ts';

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

export const requestDecisions: Decisions<RequestDecision['kind']> = {
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
