/** Raises the open questions of RFCs that need a human, as questions linked to their RFC. */
import { never, nextQuestionId } from '../../core/question/question.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { underway } from '../../core/rfc/rfc.ts';
import type { OpenQuestion, Rfc } from '../../core/state/rfc.ts';
import type { State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';

/**
 * Raises questions that were not raised yet. The asker is the RFC's author, so two RFCs may ask the same words. They
 * are async: they block the approval, and through it the work.
 */
export function raiseHumanQuestions(store: Store): string[] {
  if (store.problem || store.readOnly || store.workspaceId === null) return [];
  const raised: string[] = [];
  for (;;) {
    const [first] = missing(store.read().state);
    if (!first) return raised;
    const { rfc, question } = first;
    const actor = {
      kind: 'reviewer',
      id: `reviewer of ${rfc.id}`,
      ...(rfc.asker.worktree === undefined ? {} : { worktree: rfc.asker.worktree }),
    } as const;
    const id = store.transact(actor, ({ state }) => {
      const still = missing(state).some(
        (other) => other.rfc.id === rfc.id && other.question.number === question.number,
      );
      if (!still) return { records: [], result: null };
      return { records: [raising(state, rfc, question)], result: nextQuestionId(state) };
    });
    if (id !== null) raised.push(id);
  }
}

function missing(state: State): { rfc: Rfc; question: OpenQuestion }[] {
  return [...state.rfcs.values()]
    .filter((rfc) => underway(rfc) !== null)
    .flatMap((rfc) =>
      rfc.questions.filter(({ required, asked }) => required && asked === null).map((question) => ({ rfc, question })),
    );
}

function raising(state: State, rfc: Rfc, { number, text }: OpenQuestion): RecordInput {
  return {
    kind: 'question.raised',
    v: 1,
    id: nextQuestionId(state),
    text,
    type: 'clarification',
    urgency: 'high',
    mode: 'async',
    work: null,
    background: `An open question of ${rfc.id}, "${rfc.title}". It needs a human's answer: ${rfc.id} cannot be approved before it has one.`,
    rfc: { id: rfc.id, question: number },
    // It stays open as long as its RFC, which holds the work.
    expiresAt: never,
  };
}
