/**
 * Several ordinary answers in one prompt: the assumptions of several questions, or one answer to questions of the same
 * shape. What holds for one answer holds for each; all are signed in one line, or none is.
 */
import { confirmableQuestions, isConfirmable, sameShapes, type SameShape } from '../../core/question/shape.ts';
import type { Answer, RecordInput } from '../../core/records/records.ts';
import type { Together } from '../../core/records/question.ts';
import { isUnruled } from '../../core/state/quorum.ts';
import { type Question, type State, undecidedQuestions } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, recordFor, rulingOf, shownHash, sign, type Signing, requirePerson } from './decisions.ts';

/** `changed`: these were answered or changed after they were shown, or do not belong here. Nothing was signed. */
export type BatchOutcome =
  { readonly outcome: 'answered' } | { readonly outcome: 'changed'; readonly ids: readonly string[] };

/** Questions as a form shows them, each with its hash, and the hash of the whole list. */
interface Shown {
  readonly questions: Together;
  readonly shown: string;
}

/** The most assumptions that one line of the journal has room for, with the longest answers in words. */
export const confirmedAtMost = 100;

/** One assumption, as the form showed it. */
export interface ConfirmedAssumption {
  readonly id: string;
  readonly shown: string;
  readonly answer: string;
}

function shownQuestions(state: State, questions: readonly Question[]): Together {
  return questions.map((question) => ({ id: question.id, shown: shownHash(state, question) }));
}

/** The questions of one agent, or of all, whose assumptions one act can confirm. */
export function shownAssumptions(state: State, agent?: string): Shown {
  const questions = shownQuestions(state, confirmableQuestions(state, agent));
  return { questions, shown: hashOf(questions.map(({ id, shown }) => [id, shown])) };
}

/**
 * Answers each of the questions with a yes to what its agent assumes.
 * @throws AppError as `decideQuestion`
 */
export async function confirmAssumptions(
  signing: Signing,
  confirmed: readonly ConfirmedAssumption[],
): Promise<BatchOutcome> {
  const answers = confirmed.map(({ answer: text, ...as }) => ({ ...as, answer: { choices: [], text } }));
  return answerAll(signing, answers, (state) => (question) => isUnruled(state, question) && isConfirmable(question));
}

/** The group of a question; null if no other open question has its shape. */
export function sameShapeAs(groups: readonly SameShape[], id: string): SameShape | null {
  return groups.find(({ parts }) => parts.has(id)) ?? null;
}

export function shownTogether(state: State, { questions }: SameShape): Shown {
  const all = shownQuestions(state, questions);
  return { questions: all, shown: hashOf(all) };
}

/**
 * Gives one answer to questions of one group. Those of the group that are not among them stay open.
 * @param picked in the order of the list, which each answer contains; one alone is answered as any other
 * @throws AppError as `decideQuestion`; `denied` where the policy asks for a passkey
 */
export async function answerTogether(signing: Signing, picked: Together, answer: Answer): Promise<BatchOutcome> {
  const answers = picked.map((one) => ({ ...one, answer, ...(picked.length > 1 ? { together: picked } : {}) }));
  return answerAll(signing, answers, (state) => {
    const group = sameShapeAs(sameShapes(state, undecidedQuestions(state)), picked[0]?.id ?? '');
    return ({ id }) => group?.parts.has(id) === true;
  });
}

interface BatchAnswer {
  readonly id: string;
  readonly shown: string;
  readonly answer: Answer;
  readonly together?: Together;
}

/** @param belongs whether a question can be in this batch now */
async function answerAll(
  signing: Signing,
  answers: readonly BatchAnswer[],
  belongs: (state: State) => (question: Question) => boolean,
): Promise<BatchOutcome> {
  const { store, signer } = signing;
  return store.transact(humanActor(signer), ({ state, now }): { records: RecordInput[]; result: BatchOutcome } => {
    const isIn = belongs(state);
    const ids = answers.filter(({ id, shown }) => {
      const question = state.questions.get(id);
      return !question || !isIn(question) || shownHash(state, question) !== shown;
    });
    if (ids.length > 0) return { records: [], result: { outcome: 'changed', ids: ids.map(({ id }) => id) } };
    const records = answers.map(({ id, shown, answer, together }) => {
      const ruling = rulingOf(state, id, { kind: 'answer', answer }, shown);
      const meant = recordFor(id, typeof ruling === 'string' ? { kind: 'answer', answer } : ruling);
      const record = meant.kind === 'question.answered' && together ? { ...meant, together } : meant;
      requirePerson(state, record, shown, signer);
      return sign(signing, record, shown, now);
    });
    return { records, result: { outcome: 'answered' } };
  });
}
