/** Every kind of decision, and those about events and requests. */

import type * as z from 'zod';
import { agentId, eventId, otherText, sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { closeEvent, closingProblem, postEvent, shownEvent, shownPost } from '../memory/event.ts';
import { list } from '../records/parts.ts';
import { eventClosing, eventContent } from '../records/plain.ts';
import { appointedKind, asked, move as moveShape, responsibilityId, step } from '../records/request.ts';
import { create, move, recordStep } from '../request/fold.ts';
import { askedContent, type Doer, shownAppointment, shownRequest } from '../request/request.ts';
import type { Deciding } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { type Decision, defineDecision } from './decision.ts';
import { holdDecisions } from './hold.ts';
import { questionDecisions } from './question.ts';
import { rfcDecisions } from './rfc.ts';
import { keyDecisions, workspaceDecisions } from './workspace.ts';

// What humans do in project memory. `content` binds a decision to the event that was shown: the state keeps no texts.

const ofEvent = {
  ruled: false,
  attested: false,
  shown: (state: State, { id, content }: { readonly id: string; readonly content: string }) =>
    shownEvent(state, id, content),
} as const;

const eventDecisions = [
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

// What humans do about requests, by the same guardrails as agents. `content` binds a response to the request that was
// shown.

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

const requestDecisions = [
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

export const decisions = [
  ...questionDecisions,
  ...holdDecisions,
  ...rfcDecisions,
  ...eventDecisions,
  ...requestDecisions,
  ...workspaceDecisions,
  ...keyDecisions,
] as const;

/** The kinds that are valid only with a human's signature. */
export type SignedRecord = z.output<(typeof decisions)[number]['record']['schema']>;
type DecisionKind = SignedRecord['kind'];

type WithoutEnvelope<R> = R extends SignedRecord ? Omit<R, 'envelope'> : never;
/** A signed record before it is signed. */
export type UnsignedRecord = WithoutEnvelope<SignedRecord>;

const byKind = new Map(decisions.map((one) => [one.record.kind, one]));

/** The definition of a record's kind. The list relates each kind to its record; a look-up by kind loses that. */
export function definitionOf<K extends DecisionKind>({
  kind,
}: {
  readonly kind: K;
}): Decision<Extract<SignedRecord, { kind: K }>> {
  return byKind.get(kind) as unknown as Decision<Extract<SignedRecord, { kind: K }>>;
}
