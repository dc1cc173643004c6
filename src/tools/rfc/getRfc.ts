import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { documentOf } from '../../app/rfc/parts.ts';
import { rfcView } from '../../app/rfc/views.ts';
import { plural } from '../../core/kit/plural.ts';
import { rfcIdField } from './fields.ts';
import { rfcInFull } from './texts.ts';
import { defineTool } from '../kit/tool.ts';

export const getRfc = defineTool({
  name: 'holdpoint_get_rfc',
  title: 'Read a design',
  description:
    'One RFC in full: its text, where it stands, what a human decided with conditions and constraints, open questions with their ' +
    'answers, and feedback. Read it before you revise it, and before you build what it says.',
  readOnly: true,
  input: z.strictObject({
    id: rfcIdField,
    revision: z.int().positive().optional().describe('The text of an earlier revision. Left out: the latest.'),
  }),
  async run({ workspace }, input) {
    const view = (await workspace.store()).read();
    const stored = view.state.rfcs.get(input.id);
    const rfc = rfcView(view, input.id);
    if (!rfc || !stored)
      throw new AppError('not_found', `there is no ${input.id}: holdpoint_list_rfcs shows those there are`);
    if (input.revision === undefined) return { status: 'ok', text: rfcInFull(rfc), data: { rfc } };
    if (input.revision > stored.revisions.length)
      throw new AppError('not_found', `${input.id} has ${plural(stored.revisions.length, 'revision')}`);
    const { title, sections, alternatives, questions } = documentOf(view, stored, input.revision);
    const author = stored.revisions[input.revision - 1]?.by ?? stored.asker.id;
    const text = [
      `${input.id} "${title}", revision ${String(input.revision)} of ${String(stored.revisions.length)}, by ${author}.`,
      ...sections.map((section) => `## ${section.heading}\n${section.text}`),
    ].join('\n');
    return {
      status: 'ok',
      text,
      data: { rfc, revision: { number: input.revision, title, sections, alternatives, questions } },
    };
  },
});
