/** Raises the open questions of RFCs that need a human, as questions linked to their RFC. */
import { never, nextQuestionId } from '../../core/question/question.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { OfferedChoice } from '../../core/records/rfc.ts';
import { latestRevision, revisionStatus } from '../../core/rfc/rfc.ts';
import type { OpenQuestion, Rfc } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import type { Store, View } from '../../store/store.ts';
import { documentOf } from './parts.ts';

/**
 * Raises questions that were not raised yet. The asker is the RFC's author, so two RFCs may ask the same words. They
 * are async: they block the approval, and through it the work.
 */
export async function raiseHumanQuestions(store: Store): Promise<string[]> {
  if (store.problem || store.readOnly || store.workspaceId === null) return [];
  const raised: string[] = [];
  for (;;) {
    const [first] = missingQuestions(store.read().state);
    if (!first) return raised;
    const { rfc, question } = first;
    const choices = offeredChoices(store.read(), rfc, question.text);
    const actor = {
      kind: 'reviewer',
      id: `reviewer of ${rfc.id}`,
      ...(rfc.asker.worktree === undefined ? {} : { worktree: rfc.asker.worktree }),
    } as const;
    const id = await store.transact(actor, ({ state }) => {
      const still = missingQuestions(state).some(
        (other) => other.rfc.id === rfc.id && other.question.number === question.number,
      );
      if (!still) return { records: [], result: null };
      return { records: [raising(state, rfc, question, choices)], result: nextQuestionId(state) };
    });
    if (id !== null) raised.push(id);
  }
}

function missingQuestions(state: State): { rfc: Rfc; question: OpenQuestion }[] {
  return [...state.rfcs.values()]
    .filter((rfc) => revisionStatus(rfc) !== null)
    .flatMap((rfc) =>
      rfc.questions.filter(({ required, asked }) => required && asked === null).map((question) => ({ rfc, question })),
    );
}

function offeredChoices(view: View, rfc: Rfc, text: string): readonly OfferedChoice[] {
  const { questions } = documentOf(view, rfc, latestRevision(rfc).number);
  return questions.find((question) => question.text === text)?.choices ?? [];
}

function raising(
  state: State,
  rfc: Rfc,
  { number, text }: OpenQuestion,
  choices: readonly OfferedChoice[],
): RecordInput {
  return {
    kind: 'question.raised',
    v: 1,
    id: nextQuestionId(state),
    text,
    type: 'clarification',
    urgency: 'high',
    mode: 'async',
    work: null,
    choices: [...choices],
    background: `An open question of ${rfc.id}, "${rfc.title}". It needs a human's answer: ${rfc.id} cannot be approved before it has one.`,
    rfc: { id: rfc.id, question: number },
    // It stays open as long as its RFC, which holds the work.
    expiresAt: never,
  };
}
