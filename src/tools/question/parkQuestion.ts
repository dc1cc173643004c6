import * as z from 'zod';
import { parkQuestion as park } from '../../app/question/parking.ts';
import { questionView } from '../../app/question/views.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { briefLength, hostSession } from '../../core/records/parking.ts';
import { textField } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import { questionIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { parkedText } from '../kit/parkingTexts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

const part = (what: string) => textField(briefLength).describe(what);

export const parkQuestion = defineOperation({
  name: 'park_question',
  readOnly: false,
  input: z.strictObject({
    id: questionIdField,
    doing: part('What you were doing, for a reader who knows nothing of this session.'),
    next: part('What to do next, for each likely answer.'),
    files: z
      .array(z.string().min(1).max(limits.path))
      .max(limits.listItems)
      .default([])
      .describe('The files that matter: workspace-relative or absolute paths.'),
    check_first: part('What may have changed by then and should be checked before continuing.').optional(),
    session_id: hostSession
      .optional()
      .describe('The id of your session in your host, if you know it: a human can then resume it.'),
  }),
  async run(context, { id, doing, next, files, check_first: checkFirst, session_id }) {
    const { workspace, session } = context;
    const store = await workspace.store();
    await park(store, session, id, {
      ...{ doing, next },
      files: files.map((file, index) => workspaceRelative(workspace, file, `files[${String(index)}]`)),
      ...(checkFirst === undefined ? {} : { checkFirst }),
      ...(session_id === undefined ? {} : { hostSession: session_id }),
    });
    const question = questionView(store.read(), id);
    if (!question) throw new AppError('not_found', `there is no question ${id}`);
    return {
      status: 'ok',
      text: parkedText(question, guideOf(context)),
      data: { ...outcomeOf(question, readerOf(context)), question },
    };
  },
});
