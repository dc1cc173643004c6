/** Answers that a human gave together, in attestations: they count only together, as in the journal. */
import { hashOf } from '../../trust/canonical.ts';
import type { Attestation } from './attestations.ts';

/** Why an answer does not count without another one, with its question as the subject; null if all are there. */
export function missingBeside({ record, decision }: Attestation, all: readonly Attestation[]): string | null {
  const together = record.kind === 'question.answered' ? record.together : undefined;
  if (together === undefined) return null;
  const list = hashOf(together);
  const found = new Set(
    all
      .filter(({ record: other, decision: { workspace } }) =>
        other.kind === 'question.answered' && other.together !== undefined && workspace === decision.workspace
          ? hashOf(other.together) === list
          : false,
      )
      .map((one) => `${one.decision.subject} ${one.decision.shown}`),
  );
  const missing = together.find(({ id, shown }) => !found.has(`${id} ${shown}`));
  return missing ? `was answered together with ${missing.id}, whose decision is not here` : null;
}
