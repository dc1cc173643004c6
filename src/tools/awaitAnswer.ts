import * as z from 'zod';
import { AppError } from '../app/errors.ts';
import { undelivered } from '../app/delivery.ts';
import { awaitOutcome, openQuestionsOf } from '../app/questions.ts';
import { questionView } from '../app/views.ts';
import type { QuestionView } from '../app/views.ts';
import { questionIdField, waitSeconds } from './fields.ts';
import { outcomeText } from './texts.ts';
import { defineTool } from './tool.ts';

export const awaitAnswer = defineTool({
  name: 'holdpoint_await_answer',
  title: "Wait for a human's answer",
  description:
    'Wait until a human has answered. Without an id it means all your open questions, and returns as soon as one is decided. ' +
    'Call it again when the result says a question still waits; do not go on with the held work instead.',
  readOnly: false,
  input: z.strictObject({
    id: questionIdField.optional().describe('Leave out for all your open questions.'),
    wait_seconds: waitSeconds,
  }),
  async run(context, input) {
    const { workspace, session, signal, onTick } = context;
    const store = await workspace.store();
    const ids = idsToAwait();
    if (ids.length === 0)
      return {
        status: 'ok',
        text: 'You have no open questions: nothing to wait for.',
        data: { outcome: 'none', questions: [] },
      };
    const forMs = input.wait_seconds === undefined ? context.waitMs : input.wait_seconds * 1000;
    const questions = await awaitOutcome(workspace, ids, { forMs, signal, onTick });
    const decided = questions.filter(({ resolution }) => resolution !== null);
    const [first] = decided.length > 0 ? decided : questions;
    return {
      status: 'ok',
      text: questions.map(outcomeText).join('\n'),
      data: { outcome: overall(questions), question: first, questions },
      ...(decided.length === 0 ? {} : { delivers: { questions: decided, asked: true } }),
    };

    function idsToAwait(): string[] {
      const view = store.read();
      if (input.id !== undefined) {
        if (!questionView(view, input.id))
          throw new AppError(
            'not_found',
            `there is no question ${input.id}. holdpoint_list_questions shows those there are.`,
          );
        return [input.id];
      }
      const agent = session.actor.id;
      return [...new Set([...undelivered(view, agent), ...openQuestionsOf(view, agent)].map(({ id }) => id))];
    }
  },
});

function overall(questions: readonly QuestionView[]): string {
  const decided = questions.find(({ resolution }) => resolution !== null)?.resolution;
  if (decided) return decided;
  return questions.some(({ status }) => status === 'expired') ? 'expired' : 'waiting';
}
