/** Messages of the view "Briefing". */
import * as z from 'zod';
import { eventPriority, eventType } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { actMark, keepMessage, openFileMessage, openFormMessage, pageMessages, reason } from '../kit/messages.ts';

export const briefingMessage = z.discriminatedUnion('type', [
  ...pageMessages,
  keepMessage,

  z.strictObject({
    type: z.literal('post'),
    ...actMark,
    event: eventType,
    priority: eventPriority,
    scopes: z.array(z.string().trim().min(1).max(limits.path)).max(limits.listItems),
    text: reason,
  }),
  z.strictObject({
    type: z.literal('close'),
    ...actMark,
    closing: z.discriminatedUnion('how', [
      z.strictObject({ how: z.literal('resolved'), reason }),
      z.strictObject({ how: z.literal('superseded'), by: z.string().min(1).max(limits.id) }),
      /** With a new event, posted in the same act. */
      z.strictObject({ how: z.literal('replaced'), text: reason }),
    ]),
  }),
  z.strictObject({ type: z.literal('accept'), ...actMark }),
  z.strictObject({ type: z.literal('decline'), ...actMark }),

  // Messages that change nothing
  z.strictObject({ type: z.literal('pin'), on: z.boolean() }),
  openFileMessage,
  openFormMessage,
]);
export type BriefingMessage = z.infer<typeof briefingMessage>;
/** Messages that are signed: accepted once, and only from a trusted event. */
export type BriefingAct = Extract<BriefingMessage, { act: string }>;
