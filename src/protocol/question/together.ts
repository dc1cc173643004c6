/** The form that answers questions of the same shape in one act. */
import * as z from 'zod';
import { limits, questionType, urgency } from '../../core/kit/words.ts';
import { answeredTogetherAtMost } from '../../core/records/together.ts';
import { actMark, trimmed } from '../kit/messages.ts';
import { fileRef, held, isoTime, label, longText, renderMark, sentence, signer, token } from '../kit/shared.ts';
import { choice } from './choice.ts';

/** A part of a question's text; `differs` where the questions of the form do. */
const textPart = z.strictObject({ text: z.string().min(1).max(limits.questionText), differs: z.boolean() });

/** All that is signed of one question, besides what all of them share. */
export const alike = z.strictObject({
  /** Opens its own form. */
  key: token,
  id: label,
  /** Hash of what is shown of this question. */
  shown: token,
  agent: label,
  raisedAt: isoTime,
  text: z.array(textPart).min(1),
  /** Markdown. */
  background: longText.optional(),
  impact: longText.optional(),
  ifDelayed: longText.optional(),
  blocks: z.strictObject(held),
  files: z.array(fileRef),
});
export type Alike = z.infer<typeof alike>;

export const togetherView = z.strictObject({
  type: z.literal('together'),
  ...renderMark,
  folder: label.optional(),
  urgency,
  kind: questionType,
  /** A person or responsibility that should answer; everybody can. */
  for: label.optional(),
  choices: z.array(choice).min(1).max(limits.choices),
  multiple: z.boolean(),
  /** Whether a text can be added. */
  freeText: z.boolean(),
  questions: z.array(alike).min(2).max(answeredTogetherAtMost),
  /** Number of further ones, which follow once these are answered. */
  more: z.int().min(0),
  answersAs: signer,
  locked: sentence.optional(),
  /** Why only a passkey decides them: a button opens the page in the browser. */
  inBrowser: sentence.optional(),
});
export type TogetherView = z.infer<typeof togetherView>;

export const answerTogetherMessage = z.strictObject({
  type: z.literal('answerTogether'),
  ...actMark,
  /** Ids of the ticked questions. */
  ticked: z.array(z.string().min(1).max(limits.id)).min(1),
  choices: z.array(label).min(1).max(limits.choices),
  text: trimmed(limits.answerText),
});
export type AnswerTogetherMessage = z.infer<typeof answerTogetherMessage>;
