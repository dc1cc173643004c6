/** The form that confirms the assumptions of several questions in one act. */
import * as z from 'zod';
import { limits, urgency } from '../../core/kit/words.ts';
import { actMark } from '../kit/messages.ts';
import { isoTime, label, longText, renderMark, sentence, signer, token } from '../kit/shared.ts';

/** One question that its agent goes on with, on an assumption. */
export const assumed = z.strictObject({
  /** Opens its own form. */
  key: token,
  id: label,
  /** Hash of what is shown of this question. */
  shown: token,
  agent: label,
  urgency,
  raisedAt: isoTime,
  /** Markdown. */
  text: z.string().min(1).max(limits.questionText),
  /** The whole assumption, as the agent wrote it. */
  assumption: longText,
  /** What is signed if it is ticked. */
  answer: sentence,
  /** Ticked until the human changes it. */
  ticked: z.boolean(),
});
export type Assumed = z.infer<typeof assumed>;

export const assumptionsView = z.strictObject({
  type: z.literal('assumptions'),
  ...renderMark,
  folder: label.optional(),
  /** The agent, if they are those of one. */
  agent: label.optional(),
  questions: z.array(assumed).min(1),
  /** Number of further ones, which follow once these are confirmed. */
  more: z.int().min(0),
  answersAs: signer,
  locked: sentence.optional(),
});
export type AssumptionsView = z.infer<typeof assumptionsView>;

export const confirmAssumptionsMessage = z.strictObject({
  type: z.literal('confirmAssumptions'),
  ...actMark,
  /** Ids of the ticked questions. */
  ticked: z.array(z.string().min(1).max(limits.id)).min(1),
  /** The second step was confirmed, which critical questions need. */
  confirmed: z.boolean(),
});
export type ConfirmAssumptionsMessage = z.infer<typeof confirmAssumptionsMessage>;
