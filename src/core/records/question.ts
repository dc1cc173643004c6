/** What records of questions consist of: choices, answers, asking back, parking, and answers to several at once. */
import * as z from 'zod';
import { otherText, textField, agentId, questionId, workspacePath, sha256Hex } from '../kit/fields.ts';
import { seenText } from '../kit/visible.ts';
import { answerEffect } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';
import { record, list, type DeepReadonly } from './parts.ts';

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
 * (answerEffect.ts).
 */
export const answer = z.object({
  text: textField(limits.answerText).optional(),
  choices: z.array(textField(limits.title)).max(limits.choices).default([]),
  effect: answerEffect.optional(),
});
export type Answer = z.infer<typeof answer>;

// "Ask back": before answering, a human puts a question to the agent that asked. The hold stays as it is; the agent's
// reply gives the question back to the human.

/** How often a human can ask back about one question. */
export const askBacksAtMost = 20;

/** From 1, in the order in which they were asked. */
const number = z.int().min(1).max(askBacksAtMost);

export const askBackRecords = [
  /** The agent's reply to what a human asked back: one each. It decides nothing and releases nothing. */
  record('question.replied', () => ({ id: questionId, number, text: otherText })),
  /** It was delivered to an agent (many times) / the agent acted after receiving it (once). */
  record('question.askBackOffered', () => ({ id: questionId, number, agent: agentId })),
  record('question.askBackAcknowledged', () => ({ id: questionId, number, agent: agentId })),
] as const;

/** What a human asked back, and the agent's reply. */
export interface AskBack {
  readonly text: string;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
  readonly reply: Reply | null;
}

interface Reply {
  readonly text: string;
  readonly by: string;
  readonly at: string;
}

/** The member for shown and signed content. Absent without one, so that earlier signatures keep their hashes. */
export function shownAskBacks({ askBacks }: { readonly askBacks: readonly AskBack[] }): {
  readonly askBacks?: readonly AskBack[];
} {
  return askBacks.length === 0 ? {} : { askBacks };
}

// Parking: an agent that waits too long for an answer writes a resume brief and ends its turn. The question holds what it
// held; the session that resumes the work gets the brief with the answer.

/** Characters of a whole brief. */
export const briefLength = 4_000;

/** What the agent was doing, what comes next, with which files, and what to check before that. */
const briefFields = () =>
  z.object({ doing: otherText, next: otherText, files: list(workspacePath), checkFirst: otherText.optional() });
export type ResumeBrief = DeepReadonly<z.infer<ReturnType<typeof briefFields>>>;

const brief = () =>
  briefFields().refine((one) => lengthOf(one) <= briefLength, `has more than ${String(briefLength)} characters`);

/** A host's id of a session, which becomes an argument of its program: never an option, nor anything to quote. */
export const hostSession = z.string().regex(/^[A-Za-z0-9][\w-]{7,99}$/, 'must be letters, digits, _ and -');

export const parkingRecords = [
  record('question.parked', () => ({ id: questionId, session: hostSession.optional(), brief: brief() })),
] as const;

export function lengthOf({ doing, next, files, checkFirst = '' }: ResumeBrief): number {
  return [doing, next, checkFirst, ...files].reduce((sum, text) => sum + text.length, 0);
}

// Answers that a human gave to several questions of the same shape in one act. Each question gets its own signed record,
// and each record lists all questions of the act with the hash of what was shown of them: none can be added, left out or
// put in another order afterwards.

/** What one line of the journal has room for, with the longest answers. */
export const answeredTogetherAtMost = 30;

export const together = () =>
  z
    .array(z.strictObject({ id: questionId, shown: sha256Hex }))
    .min(2)
    .max(answeredTogetherAtMost);
export type Together = z.infer<ReturnType<typeof together>>;
