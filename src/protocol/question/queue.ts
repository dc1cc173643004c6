/** The waiting items one after another: what a tab shows beside each, and the messages for it. */
import * as z from 'zod';
import { isoTime, label, token } from '../kit/shared.ts';

export const queueState = z.strictObject({
  /** Absent at the end. */
  index: z.int().min(1).optional(),
  of: z.int().min(0),
  /** Those that no longer wait, or are decided and not sent yet. */
  done: z.int().min(0),
  /** Decisions that can still be taken back, the latest last. */
  held: z.array(
    z.strictObject({
      act: token,
      key: token,
      how: z.enum(['answer', 'cancel', 'release']),
      /** The start of what was answered. */
      said: label.optional(),
      until: isoTime,
    }),
  ),
  /** The item whose decision was not recorded: its draft is kept. */
  failed: token.optional(),
});
export type QueueState = z.infer<typeof queueState>;

/** None of them decides anything. */
export const queueMessages = [
  z.strictObject({ type: z.literal('go'), to: z.enum(['next', 'back']) }),
  /** Takes a decision back that is not signed yet. */
  z.strictObject({ type: z.literal('undo'), held: token }),
] as const;
