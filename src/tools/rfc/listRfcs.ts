import * as z from 'zod';
import { historyCount } from '../../app/transfer/imported.ts';
import { isUnderReview, rfcsOf, rfcSummaries } from '../../app/rfc/views.ts';
import { fewNames } from '../../core/kit/few.ts';
import { plural } from '../../core/kit/plural.ts';
import { rfcStatus } from '../../core/records/rfcWords.ts';
import { meantBy } from '../../core/kit/persons.ts';
import { agentId, firstLine } from '../../core/kit/text.ts';
import { workIdField } from '../kit/fields.ts';
import { besides } from '../kit/historyText.ts';
import { headText, pageFields, pageOf, restText } from '../kit/pages.ts';
import { defineOperation } from '../kit/operation.ts';

export const listRfcs = defineOperation({
  name: 'list_rfcs',
  readOnly: true,
  input: z.strictObject({
    status: rfcStatus.optional(),
    agent: agentId.optional().describe('Only RFCs that this agent proposed.'),
    work_id: workIdField.optional().describe('Only RFCs that name this work item.'),
    waiting: z.boolean().default(false).describe('Only RFCs that wait for a human.'),
    ...pageFields,
  }),
  async run(context, asked) {
    const input = { ...asked, agent: meantBy(context.session.actor.id, asked.agent) };
    const { workspace } = context;
    const view = (await workspace.store()).read();
    const page = pageOf(context, input);
    const all = rfcsOf(view.state, { ...input, work: input.work_id });
    const waiting = all.filter(isUnderReview).length;
    const rfcs = rfcSummaries(view, all.slice(page.skip, page.skip + page.limit));
    const lines = rfcs.map((rfc) => {
      const work = fewNames([...rfc.affected_workflows, ...rfc.blocked_tasks].map(({ id }) => id));
      const holds = rfc.holding && work !== '' ? ` · holds ${work}` : '';
      const to = rfc.for === null ? '' : ` · for ${rfc.for}`;
      return `${rfc.id} · ${rfc.place} · revision ${String(rfc.revision)} · ${rfc.agent_name}${to}${holds} · ${firstLine(rfc.title, context.listsAll ? 120 : 60)}`;
    });
    const head = headText(
      all.length,
      rfcs.length,
      `${plural(all.length, 'RFC')}, ${String(waiting)} waiting for a human`,
    );
    const rest = restText(context, page, rfcs.length, all.length);
    const only = { kind: 'rfc', agent: input.agent, work: input.work_id } as const;
    const history = input.waiting ? 0 : historyCount(view, only);
    return {
      status: 'ok',
      text: [head, ...lines, ...rest, ...besides(context, history, 'rfc')].join('\n'),
      data: { rfcs, total: all.length, waiting_count: waiting, history_count: history },
    };
  },
});
