/**
 * Records of requests between responsibilities. Agents register themselves, ask and respond; a human's requests,
 * responses and appointments are signed.
 */
import * as z from 'zod';
import { workspacePath, agentId, instant, otherText, textField, workId, recordedPayload } from '../kit/fields.ts';
import { list, record } from './parts.ts';
import { limits } from '../kit/limits.ts';

// The closed word lists of requests between responsibilities.

/** The kind of party. Agents register agents and automations; humans appoint stewards and humans. */
const responsibilityKind = z.enum(['agent', 'automation', 'steward', 'human']);
export type ResponsibilityKind = z.infer<typeof responsibilityKind>;
export const registrableKind = responsibilityKind.extract(['agent', 'automation']);
export const appointedKind = responsibilityKind.extract(['steward', 'human']);

export const requestType = z.enum(['request_for_action', 'ingest_new_context', 'new_context_available']);
export type RequestType = z.infer<typeof requestType>;

/** The last four are final. */
export const requestStatus = z.enum([
  'created',
  'pending',
  'accepted',
  'deferred',
  'rejected',
  'cancelled',
  'expired',
  'completed',
]);
export type RequestStatus = z.infer<typeof requestStatus>;

/** Statuses that are not final. */
export const openRequestStatus = requestStatus.extract(['created', 'pending', 'accepted', 'deferred']);

/** The target's verdict on `new_context_available`. */
const relevance = z.enum(['ack_context_relevant', 'not_relevant']);
export type Relevance = z.infer<typeof relevance>;

/** A steward's steps after accepting `ingest_new_context`, in this order. */
export const stewardStep = z.enum(['normalise', 'lineage', 'dispatch']);
export type StewardStep = z.infer<typeof stewardStep>;

/** The agreed time that passed. */
const breach = z.enum(['response', 'completion']);
export type Breach = z.infer<typeof breach>;

/** What happens to accepted requests past their agreed time, besides one alert: a human's policy. */
export const onOverdue = z.enum(['alert', 'escalate', 'reassign']);

/** What the agents of a request's parties are notified of, once each. */
export type RequestNotice =
  'waiting' | Exclude<RequestStatus, 'created' | 'pending'> | 'response_overdue' | 'completion_overdue' | 'reassigned';

export const requestId = z.string().regex(/^R-[1-9]\d{0,8}$/, 'must look like R-7');

/** For example `finance_cos` or `jane@dadmode`. Lower case, so that no two differ by case alone. */
export const responsibilityId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._@-]*$/,
    'must start with a letter or digit and hold only lower-case letters, digits and . _ @ -',
  )
  .max(limits.id, `must be at most ${String(limits.id)} characters`);

/** Lower is sooner. */
export const requestPriority = z.int().min(0).max(1_000);
export const defaultPriority = 100;
/** Priority of escalated overdue requests: before all others. */
export const escalatedPriority = 0;

export const bundleId = textField(limits.title);
export const requestSeconds = z.int().min(1).max(31_536_000);
/** The origin's own name for its mandate, key or context: one short line. */
const oneLine = textField(limits.title).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** Optional fields of every request. Links are workspace-relative paths or URLs; they are shown, never followed. */
const commonPayload = () => ({ suggested_actions: list(otherText), links: list(oneLine), tags: list(oneLine) });
const bundles = () => ({
  bundle_ids: z.array(bundleId).min(1).max(limits.listItems),
  /** Why the bundles matter: a text, or a list of texts. */
  objectives: z.union([otherText, z.array(otherText).min(1).max(limits.listItems)]),
});

/** Type and payload together, because each type requires its own fields. */
const makeAsk = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal(requestType.enum.request_for_action), payload: z.strictObject(commonPayload()) }),
    z.object({
      type: z.literal(requestType.enum.ingest_new_context),
      payload: z.strictObject({
        ...commonPayload(),
        ...bundles(),
        user_hints: z.strictObject({ suggested_responsibilities: list(responsibilityId) }).optional(),
      }),
    }),
    z.object({
      type: z.literal(requestType.enum.new_context_available),
      payload: z.strictObject({
        ...commonPayload(),
        ...bundles(),
        /** The ingestion that led to this request. */
        ingest_request_id: requestId.optional(),
      }),
    }),
  ]);
let ask: ReturnType<typeof makeAsk> | undefined;
export const requestAsk = () => (ask ??= makeAsk());
export type RequestAsk = z.infer<ReturnType<typeof makeAsk>>;

/** Fields of the canonical row that the origin chooses; the others depend on the writer and time. */
export const asked = () => ({
  id: requestId,
  ask: requestAsk(),
  origin: responsibilityId,
  target: responsibilityId,
  mandate: oneLine.optional(),
  subject: textField(limits.title),
  summary: otherText,
  bodyPath: workspacePath.optional(),
  priority: requestPriority.default(defaultPriority),
  responseSeconds: requestSeconds.optional(),
  completionSeconds: requestSeconds.optional(),
  availableAt: instant,
  dueAt: instant.optional(),
  idempotencyKey: oneLine.optional(),
  sourceContext: oneLine.optional(),
  /** Free data of an integration; `ask.payload` has the fields that Holdpoint knows. */
  payload: recordedPayload,
});

/** A status change. `note` is the reason or the result. */
export const move = () => ({
  id: requestId,
  act: z.enum(['release', 'resume', 'expire', 'accept', 'defer', 'reject', 'cancel', 'complete']),
  note: otherText.optional(),
  until: instant.optional(),
  relevance: relevance.optional(),
});
export const step = () => ({ id: requestId, step: stewardStep, note: otherText, requests: list(requestId) });

const created = record('request.created', asked);
const moved = record('request.moved', move);
const stepRecorded = record('request.stepRecorded', step);

/** A notice of a request was handed to an agent; acknowledged once the agent is known to have it. */
const noticed = () => ({ id: requestId, notice: z.int().min(1), agent: agentId });

export const requestRecords = [
  record('responsibility.registered', () => ({
    id: responsibilityId,
    responsibilityKind: registrableKind,
    name: textField(limits.title),
    /** Further agents that act for it, besides the registering one. */
    agents: list(agentId),
  })),
  /** An agent that acts for it adds others. */
  record('responsibility.joined', () => ({
    id: responsibilityId,
    agents: z.array(agentId).min(1).max(limits.listItems),
  })),
  created,
  moved,
  /** A human opened it; means only that it was seen. */
  record('request.acknowledged', () => ({ id: requestId })),
  record('request.attemptFailed', () => ({ id: requestId, error: otherText })),
  stepRecorded,
  /** Work items the target created for it after accepting. */
  record('request.workMade', () => ({ id: requestId, work: z.array(workId).min(1).max(limits.listItems) })),
  record('request.alerted', () => ({ id: requestId, breach })),
  record('request.escalated', () => ({ id: requestId })),
  record('request.reassigned', () => ({ id: requestId, target: responsibilityId })),
  /** A change that guardrails refused; recorded without further effect. */
  record('request.refused', () => ({ id: requestId, act: textField(limits.id), why: otherText })),
  record('request.noticeOffered', noticed),
  record('request.noticeAcknowledged', noticed),
] as const;

export type RequestRecord = z.infer<(typeof requestRecords)[number]['schema']>;
export type RequestCreated = z.infer<(typeof created)['schema']>;
export type RequestMoved = z.infer<(typeof moved)['schema']>;
export type StepRecorded = z.infer<(typeof stepRecorded)['schema']>;
