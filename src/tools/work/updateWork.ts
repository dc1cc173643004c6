import * as z from 'zod';
import { updateWork as update } from '../../app/work/work.ts';
import { bindingsOnWork } from '../../core/hold/gate.ts';
import { holdGlob } from '../../core/kit/glob.ts';
import { agentId, textField } from '../../core/kit/text.ts';
import { baseStatus, limits } from '../../core/kit/words.ts';
import { titleField, workIdField } from '../kit/fields.ts';
import { bindingText, workText } from '../kit/texts.ts';
import { defineOperation } from '../kit/operation.ts';

export const updateWork = defineOperation({
  name: 'update_work',
  readOnly: false,
  input: z.strictObject({
    id: workIdField,
    status: baseStatus
      .optional()
      .describe(
        'in_progress: you start it. done: finished. todo: parked. failed, cancelled: abandoned. deleted: gone from lists, with everything in it; only while nothing is held and nothing else needs it.',
      ),
    step: textField(limits.title).optional().describe('The step you are on.'),
    title: titleField.optional(),
    workflow: workIdField.optional(),
    assigned_agent: agentId.optional(),
    add_depends_on: z
      .array(workIdField)
      .max(limits.listItems)
      .default([])
      .describe('More work items that must be finished first.'),
    remove_depends_on: z
      .array(workIdField)
      .max(limits.listItems)
      .default([])
      .describe('Work items it does not need any more.'),
    add_holds: z.array(holdGlob).max(limits.listItems).default([]).describe('More files that belong to it.'),
    remove_holds: z.array(holdGlob).max(limits.listItems).default([]).describe('Files that do not belong to it.'),
  }),
  async run({ workspace, session }, input) {
    const store = await workspace.store();
    const work = await update(store, session, {
      id: input.id,
      status: input.status,
      step: input.step,
      title: input.title,
      workflow: input.workflow,
      assignee: input.assigned_agent,
      addDependsOn: input.add_depends_on,
      removeDependsOn: input.remove_depends_on,
      addHolds: input.add_holds,
      removeHolds: input.remove_holds,
    });
    const bindings = bindingsOnWork(store.read().state, work.id);
    return { status: 'ok', text: workText(work) + bindingText(bindings), data: { work, ...bindings } };
  },
});
