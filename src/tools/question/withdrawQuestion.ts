import * as z from 'zod';
import { withdrawQuestion as withdraw } from '../../app/question/questions.ts';
import { note, questionIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { outcomeText } from '../kit/texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineTool } from '../kit/tool.ts';

export const withdrawQuestion = defineTool({
  name: 'holdpoint_withdraw_question',
  title: 'Withdraw a question',
  description:
    'Take back an async question of your own that no longer needs an answer. A sync question cannot be withdrawn: only a human ends it.',
  readOnly: false,
  input: z.strictObject({ id: questionIdField, reason: note('Why it needs no answer.') }),
  async run(context, { id, reason }) {
    const question = await withdraw(await context.workspace.store(), context.session, id, reason);
    return {
      status: 'ok',
      text: outcomeText(question, readerOf(context)),
      data: { ...outcomeOf(question, readerOf(context)), question },
    };
  },
});
