import * as z from 'zod';
import { answerEffect, limits } from '../../core/kit/words.ts';
import { longText } from '../kit/shared.ts';

/** One way to answer. The label is the value that is returned and signed. */
export const choice = z.strictObject({
  label: z.string().min(1).max(limits.title),
  description: longText.optional(),
  /** The agent's recommendation. */
  recommended: z.boolean(),
  /** The preselected effect, if it is not `proceed`. */
  effect: answerEffect.optional(),
  /** Cannot have the effect `proceed` (the No of an approval). */
  refuses: z.boolean().optional(),
});
export type Choice = z.infer<typeof choice>;
