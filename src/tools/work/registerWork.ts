import * as z from 'zod';
import { registerWork as register } from '../../app/work/work.ts';
import { agentId } from '../../core/kit/text.ts';
import { limits, workKind } from '../../core/kit/words.ts';
import { holdsField, titleField, workIdField } from '../kit/fields.ts';
import { changedText, workText } from '../kit/texts.ts';
import { defineOperation } from '../kit/operation.ts';

export const registerWork = defineOperation({
  name: 'register_work',
  readOnly: false,
  input: z.strictObject({
    id: workIdField.describe('Your own short id for it, for example "t-1" or "auth/tokens".'),
    kind: workKind.optional().describe('task (default) or workflow. A hold on a workflow holds all its tasks.'),
    title: titleField,
    status: z.enum(['todo', 'in_progress']).optional().describe('todo (default), or in_progress if you start it now.'),
    workflow: workIdField.optional().describe('The workflow it belongs to.'),
    depends_on: z
      .array(workIdField)
      .max(limits.listItems)
      .optional()
      .describe('Work items that must be finished first.'),
    holds: holdsField
      .optional()
      .describe('Files that belong to this work: they are held while it is held. Paths or globs with * ** ?.'),
    assigned_agent: agentId.optional(),
  }),
  async run({ workspace, session }, input) {
    const { work, already, changed } = await register(await workspace.store(), session, {
      id: input.id,
      workKind: input.kind,
      title: input.title,
      status: input.status,
      workflow: input.workflow,
      dependsOn: input.depends_on,
      holds: input.holds,
      assignee: input.assigned_agent,
    });
    const what = already ? changedText(changed) : 'Registered.';
    return { status: 'ok', text: `${what} ${workText(work)}`, data: { already, changed, work } };
  },
});
