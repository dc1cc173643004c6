/** Answering one after another: what the page shows beside each item, and its own views and messages. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { isoTime, label, sentence, token, workRef } from '../kit/shared.ts';

const itemId = z.string().min(1).max(limits.id);

/** An item that is decided elsewhere: an RFC in its review, a request in its form. */
export const triageCardView = z.strictObject({
  type: z.literal('triageCard'),
  key: token,
  id: itemId,
  folder: label.optional(),
  what: z.enum(['rfc', 'request']),
  /** Who asks. */
  from: label,
  title: label,
  since: isoTime,
});
export type TriageCardView = z.infer<typeof triageCardView>;

/** What a decision let continue, or did not. */
export const triageEndView = z.strictObject({
  type: z.literal('triageEnd'),
  decided: z.int().min(0),
  /** Agents' proposals wait as well, which are decided in the briefing. */
  proposals: z.boolean(),
  /** Items without a decision, in order. */
  left: z.array(z.strictObject({ key: token, id: itemId, title: label })),
  /** Agents that continue, with the work that they continue; none: what they do without a work item. */
  runs: z.array(z.strictObject({ agent: label, work: z.array(workRef) })),
  /** Work that something else still holds. */
  stays: z.array(z.strictObject({ ...workRef.shape, by: z.array(itemId).min(1) })),
});
export type TriageEndView = z.infer<typeof triageEndView>;

/** Beside every view of a triage. */
export const triageState = z.strictObject({
  /** Absent at the end. */
  index: z.int().min(1).optional(),
  of: z.int().min(0),
  decided: z.int().min(0),
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
  /** The last decision that was not recorded, and why. */
  failed: z.strictObject({ key: token, id: itemId, text: sentence }).optional(),
});
export type TriageState = z.infer<typeof triageState>;

/** None of them decides anything. */
export const triageMessages = [
  z.strictObject({ type: z.literal('triage'), go: z.enum(['next', 'back']) }),
  z.strictObject({ type: z.literal('triageTo'), key: token }),
  /** Takes a decision back that is not signed yet. */
  z.strictObject({ type: z.literal('undo'), held: token }),
] as const;
