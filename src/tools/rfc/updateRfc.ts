import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { importRfc } from '../../app/rfc/files.ts';
import { updateRfc as update } from '../../app/rfc/rfcs.ts';
import { sectionKey } from '../../core/records/rfcWords.ts';
import { limits } from '../../core/kit/words.ts';
import { holdsField, note, titleField } from '../kit/fields.ts';
import {
  additionFields,
  contextIds,
  contextsOf,
  documentAddition,
  documentChange,
  documentFields,
  leftText,
  markdownOf,
  mergedChange,
  rfcIdField,
  workIds,
} from './fields.ts';
import { rfcText } from './texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';
import { addressee, agentId } from '../../core/kit/text.ts';

const reply = z.strictObject({
  thread: z.int().positive().describe('Number of the thread.'),
  text: note('Your reply.'),
});

export const updateRfc = defineOperation({
  name: 'update_rfc',
  readOnly: false,
  input: z.strictObject({
    id: rfcIdField,
    title: titleField.optional(),
    ...documentFields,
    ...additionFields,
    section: sectionKey
      .exclude(['other'])
      .optional()
      .describe('With file: the file contains only this section. Default: the whole document.'),
    note: note('What you changed, for the reviewers.').optional(),
    replies: z.array(reply).max(limits.listItems).default([]).describe('Replies to feedback threads.'),
    add_workflows: workIds('More workflows it holds.'),
    add_tasks: workIds('More tasks it holds.'),
    add_holds: holdsField.default([]),
    context_ids: contextIds('More ids of events, questions or RFCs it builds on.'),
    reasoning_ids: contextIds('More ids of events, questions or RFCs that the reasoning relies on.'),
    submit: z.boolean().default(false).describe('True if it is finished: submits it to a human.'),
    hand_to: agentId.optional().describe('An agent that may also change and submit it from now on.'),
    for: addressee
      .optional()
      .describe(
        'The person or responsibility that should review it from now on. "everybody": for no one in particular.',
      ),
    implemented: z.boolean().default(false).describe('True once the approved design is implemented.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    const { change, left } = documentOf();
    const rfc = await update(store, session, input.id, {
      document: change,
      note: input.note,
      replies: input.replies,
      addWorkflows: input.add_workflows,
      addTasks: input.add_tasks,
      addHolds: input.add_holds,
      addContexts: contextsOf(input.context_ids, input.reasoning_ids),
      submit: input.submit,
      handTo: input.hand_to,
      for: input.for === 'everybody' ? null : input.for,
      implemented: input.implemented,
    });
    const text = `${rfcText(rfc, readerOf(context), session.actor.id)}${leftText(left)}`;
    return { status: 'ok', text, data: { rfc, ...(left.length === 0 ? {} : { left_out: left }) } };

    function documentOf(): ReturnType<typeof mergedChange> {
      const from = markdownOf(input);
      if (from === null && input.section !== undefined)
        throw new AppError(
          'bad_input',
          'section: can only be used with file or markdown. To give the text itself, use the field named after the section.',
        );
      const file = from ? importRfc(workspace, from, input.section) : {};
      return mergedChange(file, {
        ...documentChange(input),
        ...documentAddition(input),
        ...(input.title === undefined ? {} : { title: input.title }),
      });
    }
  },
});
