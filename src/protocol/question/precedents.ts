/** The form of precedents: drafting one from an answer, and the list of all. */
import * as z from 'zod';
import { answerEffect, limits, questionType } from '../../core/kit/words.ts';
import { actMark, reason } from '../kit/messages.ts';
import { isoTime, label, longText, renderMark, sentence, signer, token } from '../kit/shared.ts';

/** What the human edits, as text: `text`, `work`, `globs`, `days`, `uses`, and `more.<name>` for each further text. */
const fields = z.record(z.string().min(1).max(limits.id), z.string().max(limits.otherText * 2));
export type PrecedentFields = z.infer<typeof fields>;

/** The draft: exactly what a signature covers, and the questions that it would have answered. */
const draft = z.strictObject({
  /** The answered question. */
  from: label,
  kind: questionType,
  /** Labels, with what they mean. */
  choices: z.array(longText),
  answer: z.strictObject({ choices: z.array(label), text: longText, effect: answerEffect }),
  /** As the host read them; the page shows its own while it waits. */
  fields,
  until: isoTime,
  /** Why it cannot be signed as it is. */
  problem: sentence.optional(),
  /** The last questions that it would have answered, newest first. */
  earlier: z.array(
    z.strictObject({
      /** Opens its own form. */
      key: token,
      id: label,
      text: sentence,
      raisedAt: isoTime,
      /** What was answered; absent for one without an answer. */
      answer: longText.optional(),
      /** It was answered in the same way. */
      same: z.boolean(),
    }),
  ),
});
export type PrecedentDraft = z.infer<typeof draft>;

const listed = z.strictObject({
  id: label,
  status: z.enum(['in_force', 'used_up', 'expired', 'ended']),
  text: longText,
  answer: longText,
  by: label,
  until: isoTime,
  used: z.int().min(0),
  atMost: z.int().min(1),
  /** Its latest uses, newest first; each opens its question. */
  uses: z.array(z.strictObject({ key: token, id: label, at: isoTime, takenBack: z.boolean() })),
});
export type ListedPrecedent = z.infer<typeof listed>;

export const precedentsView = z.strictObject({
  type: z.literal('precedents'),
  ...renderMark,
  folder: label.optional(),
  draft: draft.optional(),
  /** Newest first. */
  list: z.array(listed),
  answersAs: signer,
  /** Only a passkey's precedent would answer such questions: a button opens this form in the browser. */
  inBrowser: sentence.optional(),
  locked: sentence.optional(),
});
export type PrecedentsView = z.infer<typeof precedentsView>;

/** Signs the draft exactly as its rendering showed it. */
export const setPrecedentMessage = z.strictObject({
  type: z.literal('setPrecedent'),
  ...actMark,
  /** The second step was confirmed. */
  confirmed: z.boolean(),
});
export const endPrecedentMessage = z.strictObject({ type: z.literal('endPrecedent'), ...actMark, id: label, reason });
export type PrecedentMessage = z.infer<typeof setPrecedentMessage | typeof endPrecedentMessage>;

/** What the human has typed so far: the host shows what it would have answered. Signs nothing. */
export const lookAtPrecedentMessage = z.strictObject({ type: z.literal('lookAtPrecedent'), key: token, fields });
