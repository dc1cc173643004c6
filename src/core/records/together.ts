/**
 * Answers that a human gave to several questions of the same shape in one act. Each question gets its own signed record,
 * and each record lists all questions of the act with the hash of what was shown of them: none can be added, left out or
 * put in another order afterwards.
 */
import * as z from 'zod';
import { questionId, sha256Hex } from '../kit/fields.ts';

/** What one line of the journal has room for, with the longest answers. */
export const answeredTogetherAtMost = 30;

export const together = () =>
  z
    .array(z.strictObject({ id: questionId, shown: sha256Hex }))
    .min(2)
    .max(answeredTogetherAtMost);
export type Together = z.infer<ReturnType<typeof together>>;
