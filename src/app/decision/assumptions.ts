/** Confirming the assumptions of several questions in one act: each gets its own signed answer, or none does. */
import { confirmableQuestions, isConfirmable } from '../../core/question/assumptions.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { isUnruled } from '../../core/state/quorum.ts';
import type { State } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, shownHash, signRecord } from './decisions.ts';
import type { Signing } from './decisions.ts';

/** One assumption, as the form showed it. */
export interface ConfirmedAssumption {
  readonly id: string;
  /** Hash of the question that the form was rendered with. */
  readonly shown: string;
  /** The answer in words. */
  readonly answer: string;
}

export type ConfirmationOutcome =
  | { readonly outcome: 'confirmed' }
  /** These were answered or changed after they were shown. Nothing was signed. */
  | { readonly outcome: 'changed'; readonly ids: readonly string[] };

/** The most that one line of the journal has room for, with the longest answers in words. */
export const confirmedAtMost = 100;

/** The questions of one agent, or of all, that one act can confirm, each with the hash of what a form shows of it. */
export function shownAssumptions(
  state: State,
  agent?: string,
): { readonly questions: readonly { readonly id: string; readonly shown: string }[]; readonly shown: string } {
  const questions = confirmableQuestions(state, agent).map((question) => ({
    id: question.id,
    shown: shownHash(state, question),
  }));
  return { questions, shown: hashOf(questions.map(({ id, shown }) => [id, shown])) };
}

/**
 * Answers each of the questions with a yes to what its agent assumes. All are signed in one transaction; if one is not
 * as it was shown, none is.
 * @throws AppError `bad_input`; StoreError
 */
export async function confirmAssumptions(
  { store, signer, newId }: Signing,
  confirmed: readonly ConfirmedAssumption[],
): Promise<ConfirmationOutcome> {
  return store.transact(
    humanActor(signer),
    ({ state, now }): { records: RecordInput[]; result: ConfirmationOutcome } => {
      const ids = confirmed.filter((one) => !isAsShown(state, one)).map(({ id }) => id);
      if (ids.length > 0) return { records: [], result: { outcome: 'changed', ids } };
      const records = confirmed.map(({ id, shown, answer }) =>
        signRecord(
          store,
          signer,
          { kind: 'question.answered', v: 1, id, answer: { choices: [], text: answer } },
          { shown, nonce: newId(), at: now },
        ),
      );
      return { records, result: { outcome: 'confirmed' } };
    },
  );
}

function isAsShown(state: State, { id, shown }: ConfirmedAssumption): boolean {
  const question = state.questions.get(id);
  if (question === undefined || !isUnruled(state, question)) return false;
  return isConfirmable(question) && shownHash(state, question) === shown;
}
