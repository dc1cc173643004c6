import * as z from 'zod';
import { registerWork as register } from '../../app/work/work.ts';
import { agentId } from '../../core/kit/text.ts';
import { limits, workKind } from '../../core/kit/words.ts';
import { holdsField, titleField, workIdField } from '../kit/fields.ts';
import { workText } from '../kit/texts.ts';
import { defineTool } from '../kit/tool.ts';

export const registerWork = defineTool({
  name: 'holdpoint_register_work',
  title: 'Register a work item',
  description:
    'Tell Holdpoint of a task or workflow before you start it, so that questions can stop just that work and what depends on it. ' +
    'Name its workflow and dependencies if it has any: they must be registered first.',
  readOnly: false,
  input: z.strictObject({
    id: workIdField.describe('Your own short id for it, for example "t-1" or "auth/tokens".'),
    kind: workKind.default('task').describe('A workflow holds its tasks when it is held.'),
    title: titleField,
    status: z.enum(['todo', 'in_progress']).default('todo'),
    workflow: workIdField.optional().describe('The workflow it belongs to.'),
    depends_on: z
      .array(workIdField)
      .max(limits.listItems)
      .default([])
      .describe('Work items that must be finished first.'),
    holds: holdsField.default([]).describe('Files this work owns: held when it is held. Paths or globs with * ** ?.'),
    assigned_agent: agentId.optional(),
  }),
  async run({ workspace, session }, input) {
    const work = register(await workspace.store(), session, {
      id: input.id,
      workKind: input.kind,
      title: input.title,
      status: input.status,
      workflow: input.workflow ?? null,
      dependsOn: input.depends_on,
      holds: input.holds,
      assignee: input.assigned_agent ?? null,
    });
    return { status: 'ok', text: `Registered. ${workText(work)}`, data: { work } };
  },
});
