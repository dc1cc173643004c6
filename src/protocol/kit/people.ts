/** Decisions that take several people, in forms. */
import * as z from 'zod';
import { answerEffect, limits } from '../../core/kit/words.ts';
import { label, longText, sentence } from './shared.ts';

/** A decision on a question, as the others signed it. */
const questionFill = z.strictObject({
  panel: z.enum(['answer', 'cancel', 'release', 'lift']),
  text: longText,
  choices: z.array(label).max(limits.choices),
  effect: answerEffect.optional(),
});
/** A decision on an RFC, as the others signed it. */
const rfcFill = z.strictObject({
  panel: z.enum(['approve', 'reject', 'withdraw']),
  /** The reason. */
  text: longText,
  conditions: z.array(longText),
  constraints: z.array(longText),
  /** Keys of waived open questions. */
  waived: z.array(label),
  way: z.enum(['stop', 'otherWay']),
});

/** What a decision needs, and what people have signed so far. Texts are for people; `fill` is what the others signed. */
export const people = z.strictObject({
  /** "2 of ada, grace, linus must decide this." */
  needs: sentence,
  proposals: z
    .array(
      z.strictObject({
        /** "1 of 2: grace approved “JWT”" */
        text: sentence,
        /** This editor's human is among them. */
        mine: z.boolean(),
        /** Fills the form with exactly this; absent where the form cannot. */
        fill: z.union([questionFill, rfcFill]).optional(),
      }),
    )
    .max(20),
});
export type People = z.infer<typeof people>;
