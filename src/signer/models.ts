/** The parts of shown content that the person reads first. All of the content is shown below them. */
import * as z from 'zod';

const text = z.string();
const texts = z.array(text);

export const shownQuestionModel = z.looseObject({
  id: text,
  text,
  type: text,
  urgency: text,
  mode: text,
  asker: text,
  work: text.nullable(),
  alsoWork: texts.optional(),
  /** Globs of the files that it holds. */
  scopes: texts,
  /** Set while a human holds all files with it. */
  widened: z.unknown().optional(),
  choices: z.array(z.looseObject({ label: text, description: text.optional() })),
});
export type ShownQuestion = z.infer<typeof shownQuestionModel>;

export const shownAnswerModel = z.looseObject({
  question: shownQuestionModel,
  resolution: z.record(text, z.unknown()),
});
export type ShownAnswer = z.infer<typeof shownAnswerModel>;

export const shownPolicyModel = z.record(text, z.unknown());
export type ShownPolicy = z.infer<typeof shownPolicyModel>;
