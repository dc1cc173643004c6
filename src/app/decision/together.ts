/** Answering questions of the same shape in one act: each gets its own signed answer that lists all, or none does. */
import { sameShapes } from '../../core/question/shape.ts';
import type { SameShape } from '../../core/question/shape.ts';
import type { Answer, RecordInput } from '../../core/records/records.ts';
import type { Together } from '../../core/records/together.ts';
import type { State } from '../../core/state/state.ts';
import { undecidedQuestions } from '../../core/state/undecided.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, recordFor, rulingOf, shownHash, signRecord } from './decisions.ts';
import type { Signing, Unsigned } from './decisions.ts';
import { requirePerson } from './people.ts';

export type TogetherOutcome =
  | { readonly outcome: 'answered' }
  /** These were answered, changed, or have another shape than when they were shown. Nothing was signed. */
  | { readonly outcome: 'changed'; readonly ids: readonly string[] };

/** The group of a question; null if no other open question has its shape. */
export function sameShapeAs(groups: readonly SameShape[], id: string): SameShape | null {
  return groups.find(({ parts }) => parts.has(id)) ?? null;
}

/** Each question of a group with the hash of what a form shows of it, and the hash of the whole list. */
export function shownTogether(
  state: State,
  { questions }: SameShape,
): { readonly questions: Together; readonly shown: string } {
  const all = questions.map((question) => ({ id: question.id, shown: shownHash(state, question) }));
  return { questions: all, shown: hashOf(all) };
}

/**
 * Gives one answer to questions of one group, as they were shown. Those of the group that are not among them stay open.
 * @param picked in the order of the list
 * @throws AppError `bad_input` for an answer that does not fit; `denied` where the policy asks for a passkey; StoreError
 */
export async function answerTogether(
  { store, signer, newId }: Signing,
  picked: Together,
  answer: Answer,
): Promise<TogetherOutcome> {
  return store.transact(humanActor(signer), ({ state, now }): { records: RecordInput[]; result: TogetherOutcome } => {
    const ids = misfits(state, picked);
    if (ids.length > 0) return { records: [], result: { outcome: 'changed', ids } };
    const records = picked.map(({ id, shown }) => {
      const record = answerRecord(state, { id, shown }, answer, picked);
      requirePerson(state, record, shown, signer);
      return signRecord(store, signer, record, { shown, nonce: newId(), at: now });
    });
    return { records, result: { outcome: 'answered' } };
  });
}

/** One alone is answered as any other. */
function answerRecord(state: State, { id, shown }: Together[number], answer: Answer, picked: Together): Unsigned {
  const meant = rulingOf(state, id, { kind: 'answer', answer }, shown);
  const record = recordFor(id, typeof meant === 'string' ? { kind: 'answer', answer } : meant);
  return record.kind === 'question.answered' && picked.length > 1 ? { ...record, together: picked } : record;
}

/** Ids of those that are not as they were shown, or not of one shape. */
function misfits(state: State, picked: Together): string[] {
  const group = sameShapeAs(sameShapes(state, undecidedQuestions(state)), picked[0]?.id ?? '');
  const isPicked = (id: string, shown: string) => {
    const question = group?.parts.has(id) ? state.questions.get(id) : undefined;
    return question !== undefined && shownHash(state, question) === shown;
  };
  return picked.filter(({ id, shown }) => !isPicked(id, shown)).map(({ id }) => id);
}
