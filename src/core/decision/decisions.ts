/** Every kind of decision. */
import type * as z from 'zod';
import type { Decision } from './decision.ts';
import { eventDecisions } from './event.ts';
import { holdDecisions } from './hold.ts';
import { keyDecisions, workspaceDecisions } from './workspace.ts';
import { questionDecisions } from './question.ts';
import { requestDecisions } from './request.ts';
import { rfcDecisions } from './rfc.ts';

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
