/**
 * The closed word lists of the domain, each written once. Every schema, column CHECK and form takes them from here.
 */
import * as z from 'zod';

/** What kind of answer is wanted. */
export const questionType = z.enum(['clarification', 'decision', 'approval']);
export type QuestionType = z.infer<typeof questionType>;

/** How soon. `critical` on a task holds its whole workflow. */
export const urgency = z.enum(['low', 'medium', 'high', 'critical']);
export type Urgency = z.infer<typeof urgency>;

/** `sync`: the agent stops. `async`: it goes on, on a recorded assumption. */
export const questionMode = z.enum(['sync', 'async']);
export type QuestionMode = z.infer<typeof questionMode>;

/** All but `pending` are terminal. */
export const questionStatus = z.enum(['pending', 'answered', 'cancelled', 'expired']);
export type QuestionStatus = z.infer<typeof questionStatus>;

export const workKind = z.enum(['task', 'workflow']);
export type WorkKind = z.infer<typeof workKind>;

/** What is stored; the effective status of a held item is derived, never stored. */
export const baseStatus = z.enum(['todo', 'in_progress', 'done', 'failed', 'cancelled']);
export type BaseStatus = z.infer<typeof baseStatus>;

export const effectiveStatus = z.enum([
  ...baseStatus.options,
  'blocked_pending_human_input',
  'blocked_pending_approval',
]);
export type EffectiveStatus = z.infer<typeof effectiveStatus>;

/** What kind of fact of project memory: five types. */
export const eventType = z.enum(['warning', 'decision', 'mutation', 'discovery', 'outcome']);
export type EventType = z.infer<typeof eventType>;

/** `resolved` and `superseded` are final: what comes up again is posted anew. */
export const eventStatus = z.enum(['active', 'resolved', 'superseded']);
export type EventStatus = z.infer<typeof eventStatus>;

/** On every type. */
export const eventPriority = z.enum(['critical', 'high', 'normal', 'low']);
export type EventPriority = z.infer<typeof eventPriority>;

/**
 * What an answer means for what was asked: it may be done; it must not, and the rest of the task may go on another way; or
 * the work stops. From the mildest to the strictest.
 */
export const answerEffect = z.enum(['proceed', 'do_not', 'stop']);
export type AnswerEffect = z.infer<typeof answerEffect>;
/** An effect that refuses something: it lasts until a human lifts it. */
export type RefusingEffect = Exclude<AnswerEffect, 'proceed'>;

/** Who did it. Set by the program's head, never by a caller's input. */
export const actorKind = z.enum(['agent', 'human', 'reviewer', 'system']);

/** Lengths in UTF-16 code units, after trimming. Too long is an error, never a cut. */
export const limits = {
  questionText: 2_000,
  answerText: 5_000,
  otherText: 10_000,
  title: 200,
  id: 100,
  glob: 300,
  path: 1_000,
  /** ISO 8601 with an offset and more digits than any clock has. */
  time: 40,
  listItems: 100,
  choices: 20,
} as const;

export const urgencies = urgency.options;

/** What time does to an unanswered sync question: fail its task and keep it held, or make it critical and keep it open. */
export const onExpiry = z.enum(['expire', 'escalate']);
export type OnExpiry = z.infer<typeof onExpiry>;

/** Rank for sorting: 0 is the most urgent. */
export function urgencyRank(value: Urgency): number {
  return urgencies.length - 1 - urgencies.indexOf(value);
}

/** Rank for sorting: 0 is the most important. */
export function priorityRank(value: EventPriority): number {
  return eventPriority.options.indexOf(value);
}
