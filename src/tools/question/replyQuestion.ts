import * as z from 'zod';
import { replyToHuman } from '../../app/question/askBacks.ts';
import { questionView } from '../../app/question/views.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { note, questionIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { outcomeText } from '../kit/texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';

export const replyQuestion = defineOperation({
  name: 'reply_question',
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
