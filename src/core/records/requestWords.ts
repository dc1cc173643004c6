/** The closed word lists of requests between responsibilities. */
import * as z from 'zod';
import { limits } from '../kit/limits.ts';

/** The kind of party. Agents register agents and automations; humans appoint stewards and humans. */
export const responsibilityKind = z.enum(['agent', 'automation', 'steward', 'human']);
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
export const relevance = z.enum(['ack_context_relevant', 'not_relevant']);
export type Relevance = z.infer<typeof relevance>;

/** A steward's steps after accepting `ingest_new_context`, in this order. */
export const stewardStep = z.enum(['normalise', 'lineage', 'dispatch']);
export type StewardStep = z.infer<typeof stewardStep>;

/** The agreed time that passed. */
export const breach = z.enum(['response', 'completion']);
export type Breach = z.infer<typeof breach>;

/** What happens to accepted requests past their agreed time, besides one alert: a human's policy. */
export const onOverdue = z.enum(['alert', 'escalate', 'reassign']);

/** What the agents of a request's parties are notified of, once each. */
export const requestNotice = z.enum([
  'waiting',
  ...requestStatus.exclude(['created', 'pending']).options,
  'response_overdue',
  'completion_overdue',
  'reassigned',
]);
export type RequestNotice = z.infer<typeof requestNotice>;

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
