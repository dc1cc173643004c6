/** What humans do about requests, by the same guardrails as agents. `content` binds a response to the request that was shown. */
import { agentId, sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { list } from '../records/parts.ts';
import { appointedKind, asked, move as moveShape, responsibilityId, step } from '../records/request.ts';
import { create, move, recordStep } from '../request/fold.ts';
import { askedContent, shownAppointment, shownRequest, type Doer } from '../request/request.ts';
import type { Deciding } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { defineDecision } from './decision.ts';

interface OfRequest {
  readonly id: string;
  readonly content: string;
}

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

export const requestDecisions = [
  /** Repeated for an existing one, it replaces name and agents. */
  defineDecision(
    'responsibility.appointed',
    () => ({
      id: responsibilityId,
      responsibilityKind: appointedKind,
      name: textField(limits.title),
      agents: list(agentId),
    }),
    {
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
  ),
  defineDecision('request.createdByHuman', asked, {
    ruled: false,
    attested: false,
    shown: (_, record) => askedContent(record),
    problem: () => null,
    apply(at, record) {
      create(at, record, signer(at));
    },
  }),
  defineDecision('request.movedByHuman', () => ({ ...moveShape(), content: sha256Hex }), {
    ...ofRequest,
    apply(at, record) {
      move(at, record, signer(at));
    },
  }),
  defineDecision('request.stepRecordedByHuman', () => ({ ...step(), content: sha256Hex }), {
    ...ofRequest,
    apply(at, record) {
      recordStep(at, record, signer(at));
    },
  }),
] as const;
