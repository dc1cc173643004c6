/** Messages of the review of an RFC. */
import * as z from 'zod';
import { questionId } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { actMark, itemMessages, openFormMessage, pageMessages, reason, token, trimmed } from '../kit/messages.ts';

/** Of a revision, a thread or an open question: they count from 1. */
const number = z.int().min(1);
export const rfcMessage = z.discriminatedUnion('type', [
  ...pageMessages,
  ...itemMessages,
  openFormMessage,

  /** Approves exactly one revision. */
  z.strictObject({
    type: z.literal('approve'),
    ...actMark,
    revision: number,
    /** What agents must do. */
    conditions: z.array(reason).max(limits.listItems),
  }),
  z.strictObject({ type: z.literal('requestChanges'), ...actMark, reason }),
  /** `stop` cancels the work it holds; `otherWay` releases it, with the reason as a constraint. */
  z.strictObject({ type: z.literal('reject'), ...actMark, reason, way: z.enum(['stop', 'otherWay']) }),
  z.strictObject({ type: z.literal('withdraw'), ...actMark, reason }),

  z.strictObject({
    type: z.literal('comment'),
    ...actMark,
    revision: number,
    section: token,
    content: reason,
    blocking: z.boolean(),
    quote: reason.optional(),
  }),
  z.strictObject({ type: z.literal('reply'), ...actMark, thread: number, content: reason }),
  z.strictObject({ type: z.literal('resolveThread'), ...actMark, thread: number }),
  /** Rejects the model's answer: a human is asked instead. */
  z.strictObject({ type: z.literal('overruleAnswer'), ...actMark, question: number }),
  /** Answers an open question, even one that somebody else was to answer. */
  z.strictObject({
    type: z.literal('answerQuestion'),
    ...actMark,
    question: number,
    choices: z.array(z.string().min(1).max(limits.title)).max(1),
    content: trimmed(limits.answerText),
  }),

  // Messages that change nothing
  z.strictObject({ type: z.literal('selectRevision'), key: token, revision: number }),
  z.strictObject({ type: z.literal('showDiff'), key: token, from: number.optional() }),
  /** Asks a language model to review it now. */
  z.strictObject({ type: z.literal('askReviewer'), key: token }),
  z.strictObject({ type: z.literal('openQuestion'), key: token, id: questionId }),
  z.strictObject({ type: z.literal('showImage'), key: token, path: z.string().min(1).max(limits.path) }),
]);
export type RfcMessage = z.infer<typeof rfcMessage>;
/** Messages that change something: accepted once, and only from a trusted event. */
export type RfcAct = Extract<RfcMessage, { act: string }>;
