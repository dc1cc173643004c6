import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import type { RequestDetails } from '../../app/request/views.ts';
import { respondToRequest as respond } from '../../app/request/requests.ts';
import type { Answer } from '../../app/request/requests.ts';
import { sweep } from '../../app/workspace/sweep.ts';
import { stewardStep } from '../../core/records/requestWords.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { limits } from '../../core/kit/words.ts';
import { note } from '../kit/fields.ts';
import { newWorkField, requestIdField, requestLine, timeField } from './fields.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

const action = z.enum([
  'accept',
  'defer',
  'reject',
  'complete',
  'cancel',
  'ack_context_relevant',
  'not_relevant',
  'report_failure',
  'record_step',
  'make_work',
]);

const fields = {
  id: requestIdField,
  action: action.describe(
    'accept (claims it), defer (until), reject (note: why), complete (note: the result), cancel (your own; note: why). ' +
      'Answer new_context_available with ack_context_relevant or not_relevant. ' +
      'While it is accepted: report_failure (note: the error), record_step (stewards, on ingest_new_context), make_work.',
  ),
  note: note('The reason or the result.').optional(),
  until: timeField('defer: when it becomes available again; must be in the future.').optional(),
  work: newWorkField.optional().describe('accept, ack_context_relevant, make_work: new work items for it.'),
  step: stewardStep.optional().describe('record_step: normalise, lineage, then dispatch.'),
  requests: z
    .array(requestIdField)
    .max(limits.listItems)
    .optional()
    .describe('record_step dispatch: the new_context_available requests that passed it on.'),
};
type Input = z.output<z.ZodObject<typeof fields>>;

export const respondToRequest = defineOperation({
  name: 'respond_to_request',
  readOnly: false,
  input: z.strictObject(fields),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    await sweep(store);
    const request = await respond(store, session, input.id, answerOf(input));
    return { status: 'ok', text: `${requestLine(request)}. ${next(request, guideOf(context))}`, data: { request } };
  },
});

function answerOf(input: Input): Answer {
  const { action: chosen, note: said, until, work = [], step, requests = [] } = input;
  const required = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new AppError('bad_input', `${name}: is required for ${chosen}`);
    return value;
  };
  switch (chosen) {
    case 'accept':
      return { act: 'accept', note: said, work };
    case 'ack_context_relevant':
      return { act: 'accept', note: said, relevance: 'ack_context_relevant', work };
    case 'not_relevant':
      return { act: 'reject', note: said, relevance: 'not_relevant' };
    case 'defer':
      return { act: 'defer', until: required(until, 'until'), note: said };
    case 'reject':
    case 'complete':
    case 'cancel':
      return { act: chosen, note: required(said, 'note') };
    case 'report_failure':
      return { act: 'report a failure', error: required(said, 'note') };
    case 'record_step':
      return { act: 'record a step', step: required(step, 'step'), note: required(said, 'note'), requests };
    case 'make_work':
      return { act: 'make work', work: required(input.work, 'work') };
  }
}

/** The next step. */
function next({ id, type, status, available_at, steps }: RequestDetails, guide: Guide): string {
  switch (status) {
    case 'accepted': {
      if (type !== 'ingest_new_context')
        return `It is yours. When it is done: ${guide.name('respond_to_request', { id, action: 'complete', note: '…' })}.`;
      const missing = stewardStep.options.filter((step) => !steps.includes(step));
      return missing.length === 0
        ? 'All steps are recorded: complete it.'
        : `Still to do, each with record_step: ${missing.join(', ')}. Pass it on with ${guide.name('create_request')} (new_context_available, ingest_request_id ${id}).`;
    }
    case 'deferred':
      return `It comes back at ${available_at}.`;
    default:
      return 'That is final.';
  }
}
