/** A human's follow-up questions to the agent, for the form. */
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import { askBackProblem } from '../../core/question/askBack.ts';
import { askBackViews } from '../../app/question/askBacks.ts';
import type { View } from '../../store/store.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';
import type { SignerStanding } from '../surface/keys.ts';

export function threadModel(
  { state, own }: Pick<View, 'state' | 'own'>,
  id: string,
  standing: SignerStanding,
): Pick<QuestionForm, 'thread' | 'askBack'> {
  const stored = state.questions.get(id);
  if (!stored) return { thread: [], askBack: false };
  const thread = stored.askBacks.map(({ text, by, keyid, at, reply }) => ({
    ...{ text, at },
    by: { name: by, you: standing.kind === 'enrolled' && standing.keyid === keyid },
    ...(reply === null ? {} : { reply: { text: reply.text, agent: shownAgent(reply.by, own), at: reply.at } }),
  }));
  return { thread, askBack: askBackProblem(stored) === null };
}

/** The thread's part of the question's history. */
export function threadHistory({ state, own }: Pick<View, 'state' | 'own'>, id: string): QuestionForm['history'] {
  const stored = state.questions.get(id);
  return (stored ? askBackViews(stored) : []).flatMap(({ asked_by, asked_at, replied_by, replied_at }) => [
    { at: asked_at, text: l10n.t('{0} asked the agent', asked_by) },
    ...(replied_at === null
      ? []
      : [{ at: replied_at, text: l10n.t('{0} replied', shownAgent(replied_by ?? '', own)) }]),
  ]);
}
