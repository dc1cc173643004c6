/** Choices of a question, and a human's answer. */
import * as z from 'zod';
import { otherText, textField } from '../kit/fields.ts';
import { seenText } from '../kit/visible.ts';
import { answerEffect } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';

export const choice = z.object({
  label: textField(limits.title),
  description: otherText.optional(),
  recommended: z.boolean().default(false),
  /**
   * The effect that the asker suggests for this choice; the form's initial value. No default, like all later additions,
   * to keep earlier hashes.
   */
  effect: answerEffect.optional(),
});
export type Choice = z.infer<typeof choice>;

/** Labels must be distinct, because answers refer to them. */
export function distinctLabels(choices: readonly Pick<Choice, 'label'>[]): boolean {
  return new Set(choices.map(({ label }) => label)).size === choices.length;
}

/** New ones must also look different, because people pick by what they see. What was written before is still read. */
export function labelsLookDistinct(choices: readonly Pick<Choice, 'label'>[]): boolean {
  return new Set(choices.map(({ label }) => seenText(label))).size === choices.length;
}

/**
 * A human's answer. `choices` are labels of the question's choices. Without `effect`, `impliedEffect` gives the meaning
 * (state/answerEffect.ts).
 */
export const answer = z.object({
  text: textField(limits.answerText).optional(),
  choices: z.array(textField(limits.title)).max(limits.choices).default([]),
  effect: answerEffect.optional(),
});
export type Answer = z.infer<typeof answer>;
