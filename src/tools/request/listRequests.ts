import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { historyCount } from '../../app/transfer/imported.ts';
import {
  listRequests as list,
  listResponsibilities,
  queueFigures,
  requestDetails,
  responsibilitiesOf,
} from '../../app/request/views.ts';
import type { Queue, RequestDetails, RequestView, ResponsibilityView } from '../../app/request/views.ts';
import { noteTouched } from '../../app/request/notices.ts';
import { sweep } from '../../app/workspace/sweep.ts';
import { plural } from '../../core/kit/plural.ts';
import { requestStatus, requestType } from '../../core/records/requestWords.ts';
import { besides } from '../kit/historyText.ts';
import { requestIdField, requestLine, responsibilityField } from './fields.ts';
import { defineTool } from '../kit/tool.ts';
import type { ToolResult } from '../kit/tool.ts';

export const listRequests = defineTool({
  name: 'holdpoint_list_requests',
  title: 'List requests',
  description:
    'List requests between the responsibilities of this workspace: your inbox, your outbox, those you can claim now (in the order to claim them), or all; or read one in full with its history, by id. ' +
    'To claim one, call holdpoint_respond_to_request with action "accept": if several agents do, one of them gets it.',
  readOnly: true,
  input: z.strictObject({
    id: requestIdField.optional().describe('Returns only this request, in full.'),
    box: z
      .enum(['inbox', 'outbox', 'claimable', 'all'])
      .default('inbox')
      .describe(
        'inbox: requests to you. outbox: requests from you. claimable: pending and available now. all: every request, with responsibilities and their queues.',
      ),
    responsibility: responsibilityField.optional().describe('Default: all responsibilities you act for.'),
    status: requestStatus.optional(),
    type: requestType.optional(),
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(20)
      .describe('The maximum number of requests (the batch size for claiming).'),
  }),
  async run(context, { id, box, responsibility, status, type, limit }) {
    const { workspace, session, record } = context;
    const store = await workspace.store();
    // Time decides which requests are claimable, so due transitions run first.
    await record(async () => sweep(store));
    if (id !== undefined) {
      await record(async () => noteTouched(store, session, [id]));
      const request = requestDetails(store.read(), id);
      if (!request) throw new AppError('not_found', `there is no request ${id}`);
      return { status: 'ok', text: fullText(request), data: { request }, delivers: handing([request]) };
    }
    const view = store.read();
    const of = responsibility === undefined ? responsibilitiesOf(view, session.actor.id) : [responsibility];
    if (of.length === 0 && box !== 'all')
      throw new AppError('bad_input', 'responsibility: you act for none yet. Name one, or register yours', {
        advice: (guide) => `${guide.call} ${guide.name('register_responsibility')}.`,
      });
    if (responsibility !== undefined && !view.state.responsibilities.has(responsibility))
      throw new AppError('not_found', `there is no responsibility ${responsibility} in this workspace`);
    const statuses = status === undefined ? undefined : [status];
    const asked = { box, of, statuses, type, limit };
    const shown = list(view, asked).requests;
    const ids = shown.map((request) => request.id);
    await record(async () => noteTouched(store, session, ids));
    const { requests, total } = list(store.read(), asked);
    const head = `${total > requests.length ? `${String(requests.length)} of ` : ''}${plural(total, 'request')}`;
    const lines = [head, ...requests.map(requestLine)];
    const delivers = handing(requests.filter((request) => request.status === 'pending'));
    if (box !== 'all') return { status: 'ok', text: lines.join('\n'), data: { requests, total }, delivers };
    const responsibilities = listResponsibilities(view);
    const queues = queueFigures(view);
    const history = historyCount(view, { kind: 'request' });
    const more = [...responsibilities.map(responsibilityLine), ...queues.map(queueLine)];
    return {
      status: 'ok',
      text: [...lines, ...more, ...besides(context, history, 'request')].join('\n'),
      data: { requests, total, responsibilities, queues, history_count: history },
      delivers,
    };
  },
});

/** A request shown in full, or shown as waiting, needs no notice as well. */
function handing(requests: readonly RequestView[]): NonNullable<ToolResult['delivers']> {
  return { questions: [], requests, asked: false };
}

export function responsibilityLine({ id, kind, name, agents }: ResponsibilityView): string {
  return `${id} · ${kind} · ${name}${agents.length === 0 ? '' : ` · ${agents.join(', ')}`}`;
}

function queueLine({ target_responsibility_id, depth, response_seconds, completion_seconds, breaches }: Queue): string {
  const time = (what: string, seconds: number | null) =>
    seconds === null ? '' : ` · ${what} in ${String(Math.round(seconds))} s on average`;
  return `${target_responsibility_id}: ${String(depth)} open${time('responds', response_seconds)}${time('completes', completion_seconds)} · ${String(breaches)} late`;
}

function fullText(request: RequestDetails): string {
  const { payload, payload_json, summary, body_md_path, steps, work, note, last_error, events } = request;
  const bundles = 'bundle_ids' in payload ? payload.bundle_ids : [];
  const objectives = 'objectives' in payload ? [payload.objectives].flat() : [];
  const hints = ('user_hints' in payload ? payload.user_hints?.suggested_responsibilities : undefined) ?? [];
  const named = (name: string, values: readonly string[]) =>
    values.length === 0 ? null : `${name}: ${values.join('; ')}`;
  return [
    requestLine(request),
    summary,
    named('Suggested', payload.suggested_actions),
    named('Bundles', bundles),
    named('Objectives', objectives),
    named('Tags', payload.tags),
    named('Possibly interested', hints),
    named('Links', body_md_path === null ? payload.links : [body_md_path, ...payload.links]),
    payload_json === null ? null : `Payload: ${JSON.stringify(payload_json)}`,
    named('Steps done', steps),
    named('Work', work),
    note === null ? null : `Note: ${note}`,
    last_error === null ? null : `Last error: ${last_error}`,
    ...events.map(({ created_at, event_type, created_by, created_agent_id, note: said }) => {
      const who = created_agent_id ?? created_by;
      return `${created_at} ${event_type} by ${who}${said === null ? '' : `: ${said.replace(/\s+/gu, ' ')}`}`;
    }),
  ]
    .filter((line) => line !== null)
    .join('\n');
}
