import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { documentOf, documentView } from '../../app/rfc/parts.ts';
import { rfcView } from '../../app/rfc/views.ts';
import { plural } from '../../core/kit/plural.ts';
import { rfcIdField } from './fields.ts';
import { rfcInFull } from './texts.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';

export const getRfc = defineOperation({
  name: 'get_rfc',
  readOnly: true,
  input: z.strictObject({
    id: rfcIdField,
    revision: z.int().positive().optional().describe('Returns the text of this revision. Default: the latest.'),
  }),
  async run(context, input) {
    const { workspace } = context;
    const view = (await workspace.store()).read();
    const stored = view.state.rfcs.get(input.id);
    const rfc = rfcView(view, input.id);
    if (!rfc || !stored)
      throw new AppError('not_found', `there is no ${input.id}`, {
        advice: (guide) => `${guide.name('list_rfcs')} lists all.`,
      });
    if (input.revision === undefined) return { status: 'ok', text: rfcInFull(rfc, readerOf(context)), data: { rfc } };
    if (input.revision > stored.revisions.length)
      throw new AppError('not_found', `${input.id} has ${plural(stored.revisions.length, 'revision')}`);
    const document = documentView(documentOf(view, stored, input.revision));
    const author = stored.revisions[input.revision - 1]?.by ?? stored.asker.id;
    const text = [
      `${input.id} "${document.title}", revision ${String(input.revision)} of ${String(stored.revisions.length)}, by ${author}.`,
      ...document.sections.map((section) => `## ${section.heading}\n${section.text}`),
    ].join('\n');
    return {
      status: 'ok',
      text,
      data: { rfc, revision: { number: input.revision, ...document } },
    };
  },
});
