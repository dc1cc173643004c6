import * as z from 'zod';
import { listWork as list, workView } from '../../app/work/work.ts';
import type { WorkView } from '../../app/work/work.ts';
import { fewNames } from '../../core/kit/few.ts';
import { agentNamed } from '../../core/kit/persons.ts';
import { plural } from '../../core/kit/plural.ts';
import { agentId } from '../../core/kit/text.ts';
import { effectiveStatus } from '../../core/kit/words.ts';
import { workIdField } from '../kit/fields.ts';
import { headText, pageFields, pageOf, restText } from '../kit/pages.ts';
import { workInFull } from '../kit/texts.ts';
import { defineOperation } from '../kit/operation.ts';
import type { ToolContext, ToolResult } from '../kit/operation.ts';
import type { ToolOutputs } from '../kit/outputs.ts';
import type { QuietView } from '../../app/waiting/quiet.ts';

const input = z.strictObject({
  id: workIdField.optional().describe('Returns only this work item, in full.'),
  status: z.enum([...effectiveStatus.options, 'held']).optional(),
  agent: agentId.optional().describe('Only work of this agent.'),
  work_id: workIdField.optional().describe('This item, and those that belong to it or depend on it.'),
  ...pageFields,
});

type Filter = z.output<typeof input>;

export const listWork = defineOperation({
  name: 'list_work',
  readOnly: true,
  input,
  fromState: (context, view) => listed(context, { skip: 0 }, view),
  async run(context, asked) {
    const view = (await context.workspace.store()).read();
    if (asked.id === undefined) return listed(context, asked, view);
    const work = workView(view.state, asked.id);
    return { status: 'ok', text: workInFull(work, context.workspace.person()), data: { work } };
  },
});

function listed(context: ToolContext, asked: Filter, { state }: QuietView): ToolResult<ToolOutputs['list_work']> {
  const page = pageOf(context, asked);
  const agent = asked.agent && agentNamed(asked.agent, context.workspace.person());
  const found = list(state).filter((item) => isWanted(item, { ...asked, agent }));
  const work = found.slice(page.skip, page.skip + page.limit);
  const lines = work.map(({ id, kind, status, title, blocks }) => {
    const held = isHeld(status) ? ` · held by ${fewNames(blocks.map((one) => one.id))}` : '';
    return `${id} · ${kind} · ${status} · ${title}${held}`;
  });
  const head = headText(found.length, work.length, plural(found.length, 'work item'));
  const rest = restText(context, page, work.length, found.length);
  return { status: 'ok', text: [head, ...lines, ...rest].join('\n'), data: { work, total: found.length } };
}

function isHeld(status: WorkView['status']): boolean {
  return status.startsWith('blocked_');
}

function isWanted(item: WorkView, { status, agent, work_id: work }: Filter): boolean {
  return (
    (status === undefined || item.status === status || (status === 'held' && isHeld(item.status))) &&
    (agent === undefined || item.assigned_agent === agent) &&
    (work === undefined || item.id === work || item.workflow === work || item.depends_on.includes(work))
  );
}
