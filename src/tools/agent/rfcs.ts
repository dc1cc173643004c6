import * as z from 'zod';
import { proposeRfc } from '../rfc/proposeRfc.ts';
import { updateRfc } from '../rfc/updateRfc.ts';
import { field, fieldsOf, withOwn } from './tool.ts';
import type { AgentTool } from './tool.ts';

const workIds = 'work_ids';
const heldWork = { add_tasks: workIds, add_workflows: workIds, affected_workflows: workIds, blocked_tasks: workIds };

export const propose: AgentTool = {
  name: 'holdpoint_propose_rfc',
  title: 'Propose or revise a design',
  description:
    'Propose a design (RFC) that a human must approve before its work continues, for what is large or hard to undo; with id, revise, submit or finish yours. It holds its work and files until it is decided.',
  readOnly: false,
  shown: 'used',
  input: z.object({
    id: field(updateRfc, 'id').optional().describe('Your RFC to revise. Default: a new one.'),
    ...fieldsOf(proposeRfc, 'title', 'file', 'markdown'),
    [workIds]: z.array(z.string()).optional().describe('Registered tasks and workflows it holds.'),
    ...fieldsOf(proposeRfc, 'holds', 'context_ids', 'reasoning_ids', 'for', 'submit'),
    ...fieldsOf(updateRfc, 'section', 'note', 'replies', 'hand_to', 'implemented'),
  }),
  operations: [proposeRfc, updateRfc],
  run(call, { work_ids: work = [], ...given }) {
    const isWorkflow = (id: unknown) => call.state?.work.get(String(id))?.kind === 'workflow';
    const flows = Array.isArray(work) ? work.filter(isWorkflow) : [];
    const tasks = Array.isArray(work) ? work.filter((id) => !isWorkflow(id)) : work;
    if (given['id'] === undefined)
      return call(proposeRfc, withOwn(given, { affected_workflows: flows, blocked_tasks: tasks }), heldWork);
    const { holds, ...more } = given;
    const adding = { add_workflows: flows, add_tasks: tasks, add_holds: holds };
    return call(updateRfc, withOwn(more, adding), { ...heldWork, add_holds: 'holds' });
  },
};
