import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { allNames } from '../../app/workspace/paths.ts';
import { createRequest as create } from '../../app/request/requests.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { requestAsk } from '../../core/records/request.ts';
import type { RequestAsk } from '../../core/records/request.ts';
import { defaultPriority, requestPriority, requestType } from '../../core/records/requestWords.ts';
import { recordPayload } from '../../core/kit/payload.ts';
import { limits } from '../../core/kit/words.ts';
import { note, payloadField } from '../kit/fields.ts';
import {
  bundleField,
  lineField,
  requestIdField,
  requestLine,
  responsibilityField,
  secondsField,
  timeField,
} from './fields.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems);

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
  bundle_ids: many(bundleField).optional().describe('The context bundles; required for the two types about context.'),
  objectives: many(note('Why the bundles matter.')).optional().describe('Required for the two types about context.'),
  suggested_responsibilities: many(responsibilityField)
    .optional()
    .describe('ingest_new_context: responsibilities that may be interested.'),
  ingest_request_id: requestIdField
    .optional()
    .describe(
      "new_context_available: the ingestion this passes on; creating it also records that ingestion's dispatch step.",
    ),
  body_md_path: z
    .string()
    .min(1)
    .max(limits.path)
    .optional()
    .describe('A Markdown file in this workspace with more detail.'),
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
  const payload = {
    ...(suggested_actions ? { suggested_actions } : {}),
    ...(links ? { links } : {}),
    ...(tags ? { tags } : {}),
    ...(bundle_ids ? { bundle_ids } : {}),
    ...(objectives ? { objectives } : {}),
    ...(hints ? { user_hints: { suggested_responsibilities: hints } } : {}),
    ...(ingest_request_id === undefined ? {} : { ingest_request_id }),
  };
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
