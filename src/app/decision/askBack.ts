/** The human side of asking back: a signed question to the agent. Only the editor imports this. */
import { askBackProblem } from '../../core/question/askBack.ts';
import { humanActor, shownHash, signRecord } from './decisions.ts';
import type { Signing } from './decisions.ts';
import { AppError } from '../workspace/errors.ts';

export interface AskingBack {
  readonly id: string;
  readonly text: string;
  /** The hash the form was rendered with. */
  readonly shown: string;
}

/**
 * Asks the agent back. The question stays open, and keeps all that it holds.
 * @throws AppError `not_found`; `conflict` when nothing can be asked back now, or the question differs from what was shown
 */
export async function askBack({ store, signer, newId }: Signing, { id, text, shown }: AskingBack): Promise<void> {
  const nonce = newId();
  await store.transact(humanActor(signer), ({ state, now }) => {
    const question = state.questions.get(id);
    if (!question) throw new AppError('not_found', `there is no question ${id}`);
    const problem = askBackProblem(question);
    if (problem !== null) throw new AppError('conflict', problem);
    if (shown !== shownHash(state, question))
      throw new AppError('conflict', `${id} has changed since it was shown: check it again`);
    const record = { kind: 'question.askedBack', v: 1, id, text } as const;
    return {
      records: [signRecord(store, signer, record, { shown, nonce, at: now })],
      result: null,
    };
  });
}
