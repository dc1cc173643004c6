/** What lists of all questions need of each as it was raised, and what a question keeps of it. Pure. */
import type { QuestionRaised } from '../records/records.ts';
import type { QuestionType, Urgency } from '../kit/words.ts';

export interface QuestionFacts {
  readonly type: QuestionType;
  /** The person or responsibility that it is for; null: everybody. */
  readonly for: string | null;
  /** As raised: the policy may have made it critical since. */
  readonly urgency: Urgency;
  /** The RFC whose open question it is. */
  readonly rfc: string | null;
  /** Paths of the files that it names. */
  readonly files: readonly string[];
  /** Whether a plain yes to what its agent assumes would answer it. */
  readonly isConfirmable: boolean;
  /** Whether it comes with no more than a list of several questions can show. */
  readonly isGroupable: boolean;
}

/** What a question keeps of how it was raised: nothing changes it. */
export function copiesOf(raised: QuestionRaised) {
  const { id, work, alsoWork = [], holds, expiresAt } = raised;
  return { facts: factsOf(raised), id, work, alsoWork, holds, expiresAt };
}

export function factsOf(raised: QuestionRaised): QuestionFacts {
  const { type, for: addressee = null, urgency, rfc, files } = raised;
  return {
    ...{ type, for: addressee, urgency, rfc: rfc?.id ?? null, files: files.map(({ path }) => path) },
    isConfirmable: isConfirmable(raised),
    isGroupable: isGroupable(raised),
  };
}

/** Never an approval, which has its own yes, nor where only the agent's choices count. */
function isConfirmable({ type, assumption = '', choices, freeText }: QuestionRaised): boolean {
  return type !== 'approval' && assumption.trim() !== '' && (choices.length === 0 || freeText);
}

/** Not with evidence, a payload, an assumption or a thread. */
function isGroupable({ choices, context, payload, assumption, alternatives, rfc, reopens }: QuestionRaised): boolean {
  const hasMore = [context, payload, assumption, rfc, reopens].some((one) => one !== undefined);
  return choices.length > 0 && alternatives.length === 0 && !hasMore;
}
