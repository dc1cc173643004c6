import * as z from 'zod';
import { checkGate } from '../hold/checkGate.ts';
import { registerWork } from '../work/registerWork.ts';
import { updateWork } from '../work/updateWork.ts';
import { field, fieldsOf, withOwn } from './tool.ts';
import type { AgentTool } from './tool.ts';

export const gate: AgentTool = {
  name: 'holdpoint_check_gate',
  title: 'Check whether work may continue',
  description:
    'Check whether work, files or your session may continue, and which work is free: before you start or resume work and before you edit files. "Denied" means stop.',
  readOnly: true,
  shown: 'used',
  input: checkGate.input,
  operations: [checkGate],
};

export const recordWork: AgentTool = {
  name: 'holdpoint_record_work',
  title: 'Register or update work',
  description:
    'Register a task or workflow before you start it, so that a question can hold exactly this work; the same id again updates it. Set its status when you start and finish.',
  readOnly: false,
  shown: 'used',
  input: z.object({
    ...fieldsOf(registerWork, 'id', 'kind'),
    title: field(registerWork, 'title').optional().describe('Short name for people. Required for new work.'),
    ...fieldsOf(updateWork, 'status', 'step'),
    ...fieldsOf(registerWork, 'workflow', 'depends_on', 'holds', 'assigned_agent'),
    ...fieldsOf(updateWork, 'remove_depends_on', 'remove_holds'),
  }),
  operations: [registerWork, updateWork],
  async run(call, { depends_on: needs, holds, ...given }) {
    const { id, kind, step, ...others } = given;
    const known = typeof id === 'string' ? call.state?.work.get(id) : undefined;
    const isKnown = known && (kind === undefined || kind === known.kind);
    const updates = ['status', 'step', 'remove_depends_on', 'remove_holds'].some((name) => given[name] !== undefined);
    // Without a title it cannot be registered: the error says how.
    if (given['title'] === undefined || (isKnown && updates))
      return call(updateWork, withOwn({ id, step, ...others }, { add_depends_on: needs, add_holds: holds }), {
        add_depends_on: 'depends_on',
        add_holds: 'holds',
      });
    const registered = await call(registerWork, { id, kind, ...others, depends_on: needs, holds });
    if (step === undefined || registered.status !== 'ok') return registered;
    const stepped = await call(updateWork, { id, step });
    return stepped.status === 'ok' ? stepped : { ...stepped, text: `Registered, without its step. ${stepped.text}` };
  },
};
