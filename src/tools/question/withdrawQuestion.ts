import * as z from 'zod';
import { withdrawQuestion as withdraw } from '../../app/question/questions.ts';
import { note, questionIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { outcomeText } from '../kit/texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';

export const withdrawQuestion = defineOperation({
  name: 'withdraw_question',
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
