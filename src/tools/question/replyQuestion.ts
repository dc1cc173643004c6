import * as z from 'zod';
import { replyToHuman } from '../../app/question/askBacks.ts';
import { questionView } from '../../app/question/views.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { note, questionIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { outcomeText } from '../kit/texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineTool } from '../kit/tool.ts';

export const replyQuestion = defineTool({
  name: 'holdpoint_reply_question',
  title: 'Reply to a human',
  description:
    'Reply when a human asks you something about a question of yours before deciding. The reply releases nothing: the work stays held, ' +
    'and the question waits for the human again. Call holdpoint_await_answer afterwards.',
  readOnly: false,
  input: z.strictObject({ id: questionIdField, text: note('Your reply, in Markdown.') }),
  async run(context, { id, text }) {
    const store = await context.workspace.store();
    await replyToHuman(store, context.session, id, text);
    const question = questionView(store.read(), id);
    if (!question) throw new AppError('not_found', `there is no question ${id}`);
    return {
      status: 'ok',
      text: `Your reply was sent. ${outcomeText(question, readerOf(context))}`,
      data: { ...outcomeOf(question, readerOf(context)), question },
    };
  },
});
