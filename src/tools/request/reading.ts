/** Listing requests, and waiting for their end. */
import * as z from 'zod';
import { shownAgent } from '../../core/kit/persons.ts';
import { AppError } from '../../app/workspace/errors.ts';
import {
  listRequests as list,
  listResponsibilities,
  queueFigures,
  requestDetails,
  responsibilitiesOf,
  type Queue,
  type RequestDetails,
  type RequestView,
  type ResponsibilityView,
  noteTouched,
  undeliveredNotices,
} from '../../app/request/views.ts';
import { sweep } from '../../app/workspace/sweep.ts';
import { plural, onOneLine, firstLine } from '../../core/kit/text.ts';
import {
  requestStatus,
  requestType,
  openRequestStatus,
  requestId,
  responsibilityId,
} from '../../core/records/request.ts';
import { workIdField, waitSeconds, pageFields, pageOf, pageText } from '../kit/fields.ts';
import { agentId } from '../../core/kit/fields.ts';
import { part, duration } from '../kit/texts.ts';
import { clock } from '../kit/gateText.ts';
import { defineOperation, type ToolResult } from '../kit/operation.ts';
import { waitUntil } from '../../app/workspace/waiting.ts';
import { isSettled } from '../../core/request/request.ts';
import { overallOutcome, requestOutcomeOf } from '../kit/outcome.ts';
import { statusText } from '../kit/requestTexts.ts';
import { heldNote, readerOf, type Reader } from '../kit/reader.ts';

export const requestIdField = requestId.describe('Id of a request, for example "R-7".');
export const responsibilityField = responsibilityId.describe(
  'Id of a responsibility in this workspace, for example "backend" or "jane@app".',
);
export function requestLine({
  id,
  status,
  type,
  priority,
  origin_responsibility_id,
  target_responsibility_id,
  subject,
  due_at,
  available_at,
  overdue,
}: RequestView): string {
  const what = type === 'request_for_action' ? '' : ` · ${type}`;
  const when =
    status === 'created' || status === 'deferred'
      ? ` · from ${available_at}`
      : due_at !== null && status === 'pending'
        ? ` · due ${due_at}`
        : '';
  const late = overdue ? ' · overdue' : '';
  return `${id} · ${status}${late}${what} · ${origin_responsibility_id} to ${target_responsibility_id} · priority ${String(priority)}${when} · ${firstLine(subject)}`;
}

export const listRequests = defineOperation({
  name: 'list_requests',
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
    agent: agentId.optional().describe('Only requests that this agent created.'),
    work_id: workIdField.optional().describe('Only requests for which this work item was made.'),
    ...pageFields,
  }),
  async run(context, { id, box, responsibility, status, type, agent, work_id: work, ...asking }) {
    const { workspace, session, record } = context;
    const store = await workspace.store();
    // Time decides which requests are claimable, so due transitions run first.
    await record(async () => sweep(store));
    if (id !== undefined) {
      await record(async () => noteTouched(store, session, [id]));
      const now = store.read();
      const request = requestDetails(now, id);
      if (!request) throw new AppError('not_found', `there is no request ${id}`);
      return { status: 'ok', text: fullText(request, now.own), data: { request }, delivers: deliveriesOf([request]) };
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
    const page = pageOf(context, asking);
    const asked = { box, of, statuses, type, agent, work, skip: page.skip, limit: Math.min(page.limit, 10_000) };
    const { requests, total } = list(view, asked);
    const text = pageText(context, page, { lines: requests.map(requestLine), total, what: plural(total, 'request') });
    const delivers = deliveriesOf(requests.filter((request) => request.status === 'pending'));
    if (box !== 'all') return { status: 'ok', text, data: { requests, total }, delivers };
    const responsibilities = listResponsibilities(view);
    const queues = queueFigures(view);
    const more = [...responsibilities.map(responsibilityLine), ...queues.map(queueLine)];
    return {
      status: 'ok',
      text: [text, ...more].join('\n'),
      data: { requests, total, responsibilities, queues },
      delivers,
    };
  },
});

/** A request shown in full, or shown as waiting, needs no notice as well. */
function deliveriesOf(requests: readonly RequestView[]): NonNullable<ToolResult['delivers']> {
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

function fullText(request: RequestDetails, own: string | null): string {
  const { payload, payload_json, body_md_path, steps, work, events } = request;
  const bundles = 'bundle_ids' in payload ? payload.bundle_ids : [];
  const objectives = 'objectives' in payload ? [payload.objectives].flat() : [];
  const hints = ('user_hints' in payload ? payload.user_hints?.suggested_responsibilities : undefined) ?? [];
  const ingest = 'ingest_request_id' in payload ? (payload.ingest_request_id ?? null) : null;
  const author = request.author_agent_id ?? request.authored_by;
  return [
    requestLine(request),
    request.summary,
    part('Body', body_md_path),
    part('Links', payload.links.join('; ')),
    part('Suggested', payload.suggested_actions.join('; ')),
    part('Bundles', bundles.join('; ')),
    part('Objectives', objectives.join('; ')),
    part('Passes on', ingest),
    part('Possibly interested', hints.join('; ')),
    part('Tags', payload.tags.join('; ')),
    part('Mandate', request.origin_mandate_id),
    part('Source', request.source_context),
    part('Created', `${clock(request.created_at)} by ${shownAgent(author, own)}`),
    part('Available', clock(request.available_at)),
    part('Due', request.due_at && clock(request.due_at)),
    part('Time to respond', secondsText(request.sla_response_seconds)),
    part('Time to complete', secondsText(request.sla_completion_seconds)),
    part('Agreed by', request.sla_due_at && `${clock(request.sla_due_at)}${request.overdue ? ' (overdue)' : ''}`),
    part(
      'Accepted',
      request.accepted_at && `${clock(request.accepted_at)} by ${shownAgent(request.accepted_by ?? '', own)}`,
    ),
    part('Attempts', request.attempts < 2 ? null : String(request.attempts)),
    part('Last error', request.last_error),
    part('Steps done', steps.join('; ')),
    part('Work', work.join('; ')),
    part('Note', request.note),
    part('Data', payload_json && JSON.stringify(payload_json)),
    part('Key', request.idempotency_key),
    ...events.map(({ created_at, event_type, created_by, created_agent_id, note: said }) => {
      const who = shownAgent(created_agent_id ?? created_by, own);
      return `${created_at} ${event_type} by ${who}${said === null ? '' : `: ${onOneLine(said)}`}`;
    }),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function secondsText(seconds: number | null): string | null {
  return seconds === null ? null : seconds < 120 ? plural(seconds, 'second') : duration(seconds * 1_000);
}

type View = Parameters<typeof requestDetails>[0];

const atMost = 1_000;

export const awaitRequest = defineOperation({
  name: 'await_request',
  readOnly: false,
  input: z.strictObject({
    id: requestIdField.optional().describe('A request, for example "R-7". Omit it to wait for all your open ones.'),
    wait_seconds: waitSeconds.describe(
      'How long to wait before returning, in seconds. Omit it to use the default of your host.',
    ),
  }),
  async run(context, input) {
    const { workspace, session, signal, onTick, waitMs } = context;
    const agent = session.actor.id;
    const reader = readerOf(context);
    const store = await workspace.store();
    await sweep(store);
    const awaited = idsToAwait(store.read(), agent, input.id);
    if (awaited.length === 0)
      return {
        status: 'ok',
        text: `You have no open requests: nothing to wait for.${heldNote(reader)}`,
        data: { ...overallOutcome([], reader), requests: [] },
      };
    const seen = await waitUntil(workspace, (view) => look(view, agent, awaited), isOver, {
      forMs: input.wait_seconds === undefined ? waitMs : input.wait_seconds * 1_000,
      signal,
      // Deadlines can pass while no other program has the store open.
      onTick: (waitedMs) => {
        // One that fails is tried again at the next tick.
        sweep(store).catch(() => undefined);
        onTick?.(waitedMs);
      },
    });
    const { requests } = seen;
    return {
      status: 'ok',
      text: requests.map((one) => textOf(one, reader)).join('\n'),
      data: {
        ...overallOutcome(
          requests.map((one) => requestOutcomeOf(one, reader)),
          reader,
        ),
        requests,
      },
      delivers: { questions: [], requests: requests.filter(isSaidInFull), asked: true },
    };
  },
});

function idsToAwait(view: View, agent: string, id: string | undefined): string[] {
  if (id !== undefined) {
    if (requestDetails(view, id)) return [id];
    throw new AppError('not_found', `there is no request ${id}`, {
      advice: (guide) => `${guide.name('list_requests')} lists them all.`,
    });
  }
  const statuses = openRequestStatus.options;
  const of = responsibilitiesOf(view, agent);
  const open = of.length === 0 ? [] : list(view, { box: 'outbox', of, statuses, limit: atMost }).requests;
  const ended = undeliveredNotices(view, agent).filter(
    ({ notice, status }) => notice.to === 'origin' && isSettled(status),
  );
  return [...new Set([...ended, ...open].map((request) => request.id))];
}

interface Seen {
  readonly requests: readonly RequestDetails[];
  /** A missed deadline that this agent has not been notified of. */
  readonly late: boolean;
}

function look(view: View, agent: string, ids: readonly string[]): Seen {
  return {
    requests: ids.flatMap((id) => requestDetails(view, id) ?? []),
    late: undeliveredNotices(view, agent).some(
      ({ id, notice }) => ids.includes(id) && notice.to === 'origin' && notice.type.endsWith('_overdue'),
    ),
  };
}

function isOver({ requests, late }: Seen): boolean {
  return late || requests.some(({ status }) => isSettled(status));
}

/** Whether the status says as much as the notices of it. */
function isSaidInFull({ status, overdue }: RequestView): boolean {
  return isSettled(status) || ((status === 'accepted' || status === 'deferred') && !overdue);
}

function textOf(request: RequestView, reader: Reader): string {
  const { id, status } = request;
  if (!isSettled(status)) return `${statusText(request)} To wait: ${reader.guide.name('await_request', { id })}.`;
  return `${statusText(request)}${status === 'completed' ? heldNote(reader) : ''}`;
}
