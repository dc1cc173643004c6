/**
 * Precedents: a human signs how one class of questions is answered, until when and how often. A program may then note
 * that a question was answered by it; the fold accepts that only if it comes to the same itself.
 */
import * as z from 'zod';
import { holdGlob } from '../kit/glob.ts';
import { questionNotes } from '../kit/questionNotes.ts';
import { instant, otherText, questionId, textField, workId } from '../kit/text.ts';
import { limits, questionType } from '../kit/words.ts';
import { answer, choice, distinctLabels } from './answer.ts';
import { envelope, list, record } from './parts.ts';

/** Required before the first one: an earlier program would go on holding what a precedent has answered. */
export const precedentFormat = 12;

export const precedentLimits = { uses: 1_000, days: 366, inForce: 200, shown: 20 } as const;

export const precedentId = z.string().regex(/^P-[1-9]\d{0,5}$/, 'must look like P-2');

/** A template (src/core/precedent/template.ts); braces in it are written twice. */
const template = textField(limits.otherText * 2);

/** The texts of a question besides itself, each with its template. A question with a text that is not here is another. */
const moreTexts = () =>
  z.strictObject({
    ...(Object.fromEntries(questionNotes.map((note) => [note.record, template.optional()])) as Record<
      (typeof questionNotes)[number]['record'],
      z.ZodOptional<typeof template>
    >),
    alternatives: template.optional(),
    payload: template.optional(),
  });

export const precedentRecords = [
  record('precedent.set', () => ({
    id: precedentId,
    /** The question whose answer it repeats. */
    from: questionId,
    /** Each item of the question is one of these or in one of these workflows. Null: any, or none. */
    work: z.array(workId).min(1).max(limits.listItems).nullable(),
    /** Everything that the question holds or names as a file is within these. None: it must have no files. */
    globs: list(holdGlob),
    type: questionType,
    text: textField(limits.questionText * 2),
    more: moreTexts(),
    choices: z.array(choice).max(limits.choices).refine(distinctLabels, 'name a choice twice'),
    multiple: z.boolean(),
    freeText: z.boolean(),
    answer,
    until: instant,
    /** How many questions it answers at most. */
    uses: z.int().min(1).max(precedentLimits.uses),
    envelope,
  })),
  record('precedent.ended', () => ({ id: precedentId, reason: otherText, envelope })),
  /** A question was answered by it. Anybody may write this; it counts only where the precedent says the same. */
  record('precedent.used', () => ({ id: questionId, precedent: precedentId })),
  /** A human takes one use back: the question is open again, and no precedent answers it. */
  record('precedent.takenBack', () => ({ id: questionId, reason: otherText, envelope })),
] as const;
export type PrecedentKind = (typeof precedentRecords)[number]['kind'];
