/** The closed word lists of the domain. Every schema, column CHECK and form uses these. */
import * as z from 'zod';

/** How an open question notifies a human: immediately, or only in the list, as what earlier policies gathered in a digest. */
export const interruption = z.enum(['now', 'digest', 'silent']);
export type Interruption = z.infer<typeof interruption>;

export const questionType = z.enum(['clarification', 'decision', 'approval']);
export type QuestionType = z.infer<typeof questionType>;

/** `critical` holds the whole workflow of its work item. */
export const urgency = z.enum(['low', 'medium', 'high', 'critical']);
export type Urgency = z.infer<typeof urgency>;

/** `sync`: the agent stops. `async`: it continues on a recorded assumption. */
export const questionMode = z.enum(['sync', 'async']);
export type QuestionMode = z.infer<typeof questionMode>;

/** What agents may do that is not held, when the time without a team's server is over. */
export const afterLease = z.enum(['deny', 'allow']);

/** All but `pending` are terminal. */
export const questionStatus = z.enum(['pending', 'answered', 'cancelled', 'expired']);
export type QuestionStatus = z.infer<typeof questionStatus>;

export const workKind = z.enum(['task', 'workflow']);
export type WorkKind = z.infer<typeof workKind>;

/** Stored status; the effective status of a held item is derived, never stored. */
export const baseStatus = z.enum(['todo', 'in_progress', 'done', 'failed', 'cancelled', 'deleted']);
export type BaseStatus = z.infer<typeof baseStatus>;

export const effectiveStatus = z.enum([
  ...baseStatus.options,
  'blocked_pending_human_input',
  'blocked_pending_approval',
]);
export type EffectiveStatus = z.infer<typeof effectiveStatus>;

/** Up to which urgency assumptions are ticked before a human has looked at them. Never critical ones. */
export const tickedUpTo = z.enum(['none', 'low', 'medium', 'high']);

/** The kinds of facts in project memory, in the order of a briefing. */
export const eventType = z.enum(['warning', 'decision', 'mutation', 'discovery', 'outcome']);
export type EventType = z.infer<typeof eventType>;

export function perEventType<Value>(of: (type: EventType) => Value): Readonly<Record<EventType, Value>> {
  return Object.fromEntries(eventType.options.map((type) => [type, of(type)])) as Record<EventType, Value>;
}

/** `resolved` and `superseded` are final; a recurring fact is a new event. */
export const eventStatus = z.enum(['active', 'resolved', 'superseded']);
export type EventStatus = z.infer<typeof eventStatus>;

export const eventPriority = z.enum(['critical', 'high', 'normal', 'low']);
export type EventPriority = z.infer<typeof eventPriority>;

/**
 * What an answer means for the question: proceed; do not, but the rest of the task may continue; or the work stops.
 * From the mildest to the strictest.
 */
export const answerEffect = z.enum(['proceed', 'do_not', 'stop']);
export type AnswerEffect = z.infer<typeof answerEffect>;
/** An effect that refuses something until a human lifts it. */
export type RefusingEffect = Exclude<AnswerEffect, 'proceed'>;

/** Who acted. Set by the program's head, never from a caller's input. */
export const actorKind = z.enum(['agent', 'human', 'reviewer', 'system']);

export const urgencies = urgency.options;

/**
 * What happens to an unanswered sync question in time: its work item fails and stays held, or it becomes critical and
 * stays open.
 */
export const onExpiry = z.enum(['expire', 'escalate']);

/** Rank for sorting: 0 is the most urgent. */
export function urgencyRank(value: Urgency): number {
  return urgencies.length - 1 - urgencies.indexOf(value);
}

/** Rank for sorting: 0 is the most important. */
export function priorityRank(value: EventPriority): number {
  return eventPriority.options.indexOf(value);
}
