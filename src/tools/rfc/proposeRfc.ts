import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { importRfc } from '../../app/rfc/files.ts';
import { proposeRfc as propose } from '../../app/rfc/rfcs.ts';
import { addressee } from '../../core/kit/text.ts';
import { holdsField, titleField } from '../kit/fields.ts';
import {
  contextIds,
  contextsOf,
  documentChange,
  documentFields,
  leftText,
  markdownOf,
  mergedChange,
  workIds,
} from './fields.ts';
import { rfcText } from './texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';

export const proposeRfc = defineOperation({
  name: 'propose_rfc',
  readOnly: false,
  input: z.strictObject({
    title: titleField.optional().describe('Short name for people. Default: the title of the file.'),
    ...documentFields,
    affected_workflows: workIds('Workflows it holds until it is approved. They must be registered.'),
    blocked_tasks: workIds('Tasks it holds until it is approved. They must be registered.'),
    holds: holdsField.default([]),
    context_ids: contextIds('Ids of events, questions or RFCs it builds on, for example "E-12".'),
    reasoning_ids: contextIds('Ids of events, questions or RFCs that the reasoning relies on.'),
    for: addressee
      .optional()
      .describe('A person or responsibility that should review it, for example "ada" or "security". Everybody can.'),
    submit: z.boolean().default(false).describe('True if it is finished: submits it to a human at once.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    const from = markdownOf(input);
    const file = from ? importRfc(workspace, from) : {};
    const title = input.title ?? file.title;
    if (title === undefined) throw new AppError('bad_input', 'title: give one, or a file that begins with a heading.');
    const { change, left } = mergedChange(file, { ...documentChange(input), title });
    const rfc = await propose(store, session, {
      ...change,
      title,
      workflows: input.affected_workflows,
      tasks: input.blocked_tasks,
      holds: input.holds,
      contexts: contextsOf(input.context_ids, input.reasoning_ids),
      for: input.for,
      submit: input.submit,
    });
    const text = `${rfcText(rfc, readerOf(context), session.actor.id)}${leftText(left)}`;
    return { status: 'ok', text, data: { rfc, ...(left.length === 0 ? {} : { left_out: left }) } };
  },
});
