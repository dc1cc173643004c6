/** Creating and answering requests; registering responsibilities. */
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { allNames } from '../../app/workspace/paths.ts';
import {
  createRequest as create,
  respondToRequest as respond,
  registerResponsibility as register,
  type AgentAnswer,
} from '../../app/request/requests.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import {
  requestAsk,
  type RequestAsk,
  defaultPriority,
  requestPriority,
  requestType,
  stewardStep,
  registrableKind,
  bundleId,
  requestSeconds,
} from '../../core/records/request.ts';
import { recordPayload, agentId, textField, withoutUndefined, workId } from '../../core/kit/fields.ts';
import { workKind } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { many, note, pathField, payloadField, titleField } from '../kit/fields.ts';
import { requestIdField, requestLine, responsibilityField } from './reading.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';
import type { RequestDetails } from '../../app/request/views.ts';
import { sweep } from '../../app/workspace/sweep.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { changedText } from '../kit/texts.ts';

const lineField = (what: string) => textField(limits.title).describe(what);
const secondsField = (what: string) => requestSeconds.describe(`${what} Seconds.`);

/** A time with its zone, normalized as in records. */
const timeField = (what: string) =>
  z.iso
    .datetime({ offset: true })
    .max(limits.time)
    .transform((time) => new Date(time).toISOString())
    .describe(`${what} A time with its zone, for example 2026-05-03T14:00:00Z.`);

const newWorkField = many(z.strictObject({ id: workId, title: titleField, kind: workKind.default('task') })).describe(
  'Work items you create for it. They are registered as new items in your name.',
);

const fields = {
  type: requestType
    .default('request_for_action')
    .describe(
      'request_for_action: asks the target to consider something. ingest_new_context: asks a steward to take in context bundles. new_context_available: a steward announces reviewed bundles (stewards only).',
    ),
  origin: responsibilityField
    .optional()
    .describe('The responsibility you send it for; can be omitted if you act for only one.'),
  target: responsibilityField.describe('The responsibility that receives it; the list of all requests shows them.'),
  subject: lineField('The request in one line.'),
  summary: note('What you need and why, in Markdown, for a reader who knows nothing about this session.'),
  suggested_actions: many(note('One thing the target could do.')).optional(),
  links: many(lineField('A workspace-relative path or a URL.')).optional(),
  tags: many(lineField('A tag to find it by.')).optional(),
  bundle_ids: many(bundleId).optional().describe('The context bundles; required for the two types about context.'),
  objectives: many(note('Why the bundles matter.')).optional().describe('Required for the two types about context.'),
  suggested_responsibilities: many(responsibilityField)
    .optional()
    .describe('ingest_new_context: responsibilities that may be interested.'),
  ingest_request_id: requestIdField
    .optional()
    .describe(
      "new_context_available: the ingestion this passes on; creating it also records that ingestion's dispatch step.",
    ),
  body_md_path: pathField.optional().describe('A Markdown file in this workspace with more detail.'),
  origin_mandate_id: lineField('The mandate of yours that it comes from.').optional(),
  source_context: lineField('The run or report it comes from.').optional(),
  priority: requestPriority
    .default(defaultPriority)
    .describe('A lower number is handled sooner. Keep 100 unless there is a reason.'),
  available_at: timeField('Not available before this time. Default: now.').optional(),
  due_at: timeField('Expires unless accepted by this time.').optional(),
  sla_response_seconds: secondsField('Time for the target to respond.').optional(),
  sla_completion_seconds: secondsField('Time to complete it once accepted.').optional(),
  payload_json: payloadField(
    'Free JSON object that an integration keeps with the request; the target sees it. The fields above are not part of it.',
  ),
  idempotency_key: lineField(
    'A second call with the same key returns the first request. Give one if you may retry.',
  ).optional(),
};
type Input = z.output<z.ZodObject<typeof fields>>;

export const createRequest = defineOperation({
  name: 'create_request',
  readOnly: false,
  input: z.strictObject(fields),
  async run(context, input) {
    const { workspace, session } = context;
    const { request, already } = await create(await workspace.store(), session, {
      ask: askOf(input),
      origin: input.origin,
      target: input.target,
      subject: input.subject,
      summary: input.summary,
      bodyPath: input.body_md_path === undefined ? undefined : bodyPath(workspace, input.body_md_path),
      mandate: input.origin_mandate_id,
      sourceContext: input.source_context,
      priority: input.priority,
      availableAt: input.available_at,
      dueAt: input.due_at,
      responseSeconds: input.sla_response_seconds,
      completionSeconds: input.sla_completion_seconds,
      idempotencyKey: input.idempotency_key,
      ...recordPayload(freePayload(input.payload_json)),
    });
    const text = already
      ? `A request with this key already exists: ${requestLine(request)}. Nothing was added.`
      : `Created ${requestLine(request)}. You do not have to wait: a later tool result brings the outcome. ${guideOf(context).name('await_request', { id: request.id })} waits for it.`;
    return { status: 'ok', text, data: { already, request } };
  },
});

/** Refuses fields that would have no effect there. */
function freePayload(payload: unknown): unknown {
  for (const [name, field] of Object.entries(fieldsOfTypes))
    if (Object.hasOwn(payload ?? {}, name))
      throw new AppError('bad_input', `payload_json: ${name} has no effect there; give it as ${field}`);
  return payload;
}
const fieldsOfTypes: Readonly<Record<string, keyof Input>> = {
  bundle_ids: 'bundle_ids',
  objectives: 'objectives',
  user_hints: 'suggested_responsibilities',
  ingest_request_id: 'ingest_request_id',
};

function askOf(input: Input): RequestAsk {
  const { type, suggested_actions, links, tags, bundle_ids, objectives, ingest_request_id } = input;
  const hints = input.suggested_responsibilities;
  const payload = withoutUndefined({
    ...{ suggested_actions, links, tags, bundle_ids, objectives, ingest_request_id },
    user_hints: hints && { suggested_responsibilities: hints },
  });
  const parsed = requestAsk().safeParse({ type, payload });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw new AppError('bad_input', `${issue.keys.join(', ')}: does not belong to ${type}`);
  throw new AppError('bad_input', `${issue?.path.slice(1).join('.') ?? 'payload'}: is required for ${type}`);
}

/** Must be Markdown and inside the workspace after links are resolved. */
function bodyPath(workspace: Workspace, raw: string): string {
  const [written = raw] = allNames(workspace, raw, 'body_md_path');
  if (/\.md$/i.test(written)) return written;
  throw new AppError('bad_input', `body_md_path "${raw.slice(0, 200)}": must be a Markdown file (.md)`);
}

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

const answerFields = {
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
  requests: many(requestIdField)
    .optional()
    .describe('record_step dispatch: the new_context_available requests that passed it on.'),
};
type AnswerInput = z.output<z.ZodObject<typeof answerFields>>;

export const respondToRequest = defineOperation({
  name: 'respond_to_request',
  readOnly: false,
  input: z.strictObject(answerFields),
  async run(context, input) {
    const { workspace, session } = context;
    const store = await workspace.store();
    await sweep(store);
    const request = await respond(store, session, input.id, answerOf(input));
    return { status: 'ok', text: `${requestLine(request)}. ${nextStep(request, guideOf(context))}`, data: { request } };
  },
});

function answerOf(input: AnswerInput): AgentAnswer {
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

function nextStep({ id, type, status, available_at, steps }: RequestDetails, guide: Guide): string {
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

export const registerResponsibility = defineOperation({
  name: 'register_responsibility',
  readOnly: false,
  input: z.strictObject({
    id: responsibilityField,
    kind: registrableKind
      .default('agent')
      .describe('agent: a model considers each request. automation: a program handles them.'),
    name: titleField,
    agents: many(agentId)
      .default([])
      .describe(
        'Other agents that also act for it. For a responsibility that exists and that you act for: the agents to add.',
      ),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const { responsibility, already, changed, kept } = await register(await workspace.store(), session, input);
    const { id, kind, name, agents } = responsibility;
    const what = already ? changedText(changed) : 'Registered.';
    const stays = kept.length === 0 ? '' : ` The ${kept.join(' and ')} stays: only a human can change it.`;
    return {
      status: 'ok',
      text: `${what}${stays} ${id} (${kind}, "${name}"): ${agents.join(', ')} act${agents.length === 1 ? 's' : ''} for it. ${guideOf(context).name('list_requests')} shows its requests.`,
      data: { already, changed, kept, responsibility },
    };
  },
});
