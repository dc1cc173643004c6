/** Every kind of decision. A kind that is missing here does not compile. */
import type { SignedRecord } from '../records/records.ts';
import type { Decision, DecisionKind, Decisions } from './decision.ts';
import { eventDecisions } from './event.ts';
import { holdDecisions } from './hold.ts';
import { keyDecisions } from './key.ts';
import { questionDecisions } from './question.ts';
import { requestDecisions } from './request.ts';
import { rfcDecisions } from './rfc.ts';
import { workspaceDecisions } from './workspace.ts';

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
