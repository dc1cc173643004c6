/** Every kind of decision, and those about events. */
import type * as z from 'zod';
import { eventId, otherText, sha256Hex } from '../kit/fields.ts';
import { closeEvent, postEvent, closingProblem, shownEvent, shownPost } from '../memory/event.ts';
import { eventClosing, eventContent } from '../records/plain.ts';
import type { State } from '../state/state.ts';
import { defineDecision, type Decision } from './decision.ts';
import { holdDecisions } from './hold.ts';
import { keyDecisions, workspaceDecisions } from './workspace.ts';
import { questionDecisions } from './question.ts';
import { requestDecisions } from './request.ts';
import { rfcDecisions } from './rfc.ts';

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
export type DecisionKind = SignedRecord['kind'];

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
