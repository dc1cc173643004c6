/**
 * The reviewer's loop, as a pure state machine: what a reply settles, and what comes next. Revisions and
 * question loops share one budget. Nothing here approves: the best verdict leads to a human.
 */
import * as z from 'zod';
import type { ReviewAnswer } from '../records/rfc.ts';
import type { Rfc } from '../state/rfc.ts';
import type { State } from '../state/state.ts';
import { isRfcWaiting } from './rfc.ts';
import { confidence, feedbackType, reviewVerdict } from '../records/rfcWords.ts';
import type { ReviewNote, ReviewStage, ReviewVerdict } from '../records/rfcWords.ts';
import { otherText, textField } from '../kit/text.ts';
import { limits } from '../kit/words.ts';

/** How many calls one RFC gets, revisions and question loops together. */
export const defaultMaxIterations = 5;

const answer = z.object({
  question: z.int().positive(),
  outcome: z.enum(['answered', 'human_required']),
  answer: otherText.optional(),
  evidence: z.array(otherText).max(limits.listItems).default([]),
  confidence: confidence.optional(),
});

/** What a model has to reply. A follow-up need not repeat its verdict. */
export const reviewReply = z.object({
  verdict: reviewVerdict.optional(),
  summary: otherText.optional(),
  answers: z.array(answer).max(limits.listItems).default([]),
  feedback: z
    .array(
      z.object({
        section: textField(limits.title).nullable().default(null),
        type: feedbackType.exclude(['approval']).default('concern'),
        text: otherText,
        blocking: z.boolean().default(false),
      }),
    )
    .max(limits.listItems)
    .default([]),
});
export type ReviewReply = z.infer<typeof reviewReply>;

export type ParsedReply = { readonly reply: ReviewReply } | { readonly problem: string };

/** The object in a reply: in a fenced block, or bare. A first review without a verdict is no review. */
export function parseReply(text: string, followUp: boolean): ParsedReply {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1];
  const bare = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const found = fenced ?? bare;
  if (found.trim() === '') return { problem: 'there is no JSON object in it.' };
  let value: unknown;
  try {
    value = JSON.parse(found);
  } catch {
    return { problem: 'the JSON object is malformed.' };
  }
  const parsed = reviewReply.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is malformed'}.` };
  }
  if (!followUp && parsed.data.verdict === undefined) return { problem: 'verdict: is missing.' };
  return { reply: parsed.data };
}

/** How far the review of one revision has come. */
export interface ReviewState {
  /** Calls so far over the whole life of the RFC, this one not counted. */
  readonly count: number;
  readonly maxIterations: number;
  /** Numbers of the questions nobody has answered. */
  readonly open: readonly number[];
  /** The verdict of an earlier call on this revision. */
  readonly verdict: ReviewVerdict | null;
}

/** What the reviewer is to do. */
export type ReviewStep =
  /** Call the model: for a review, or again for the questions that are left. */
  | { readonly kind: 'ask'; readonly followUp: boolean; readonly questions: readonly number[] }
  /** The author has to revise; the hold stays. */
  | { readonly kind: 'revise' }
  | { readonly kind: 'await_human' };

export interface ReviewOutcome {
  readonly stage: ReviewStage;
  readonly verdict: ReviewVerdict | null;
  /** Rows to write: answers with evidence, and what is for a human. */
  readonly answers: readonly ReviewAnswer[];
  readonly note: ReviewNote | null;
  readonly next: ReviewStep;
}

/** A draft with open questions goes to the reviewer; only a spent budget keeps it from there (requirements 1 and 6). */
export function beginReview({ count, maxIterations, open }: ReviewState): ReviewStep {
  return count >= maxIterations ? { kind: 'await_human' } : { kind: 'ask', followUp: false, questions: open };
}

/** What a reply settles. What it says of questions that are not open is ignored. */
export function afterReply(state: ReviewState, reply: ReviewReply): ReviewOutcome {
  const answers = settled(state.open, reply);
  const left = state.open.filter((number) => !answers.some(({ question }) => question === number));
  const verdict = reply.verdict ?? state.verdict;
  if (left.length > 0) {
    if (state.count + 1 >= state.maxIterations)
      return { ...toHuman(left, 'budget_spent', verdict), answers: [...answers, ...escalated(left)] };
    return {
      stage: 'questions_pending',
      verdict,
      answers,
      note: null,
      next: { kind: 'ask', followUp: true, questions: left },
    };
  }
  if (verdict === 'revise') {
    const spent = state.count + 1 >= state.maxIterations;
    return spent
      ? { ...toHuman([], 'budget_spent', verdict), answers }
      : { stage: 'reviewing', verdict, answers, note: null, next: { kind: 'revise' } };
  }
  return { stage: 'awaiting_human', verdict, answers, note: null, next: { kind: 'await_human' } };
}

/** The loop ends without a reply: what is open becomes a human's. */
export function toHuman(
  open: readonly number[],
  note: ReviewNote,
  verdict: ReviewVerdict | null = null,
): ReviewOutcome {
  return { stage: 'awaiting_human', verdict, answers: escalated(open), note, next: { kind: 'await_human' } };
}

function escalated(open: readonly number[]): ReviewAnswer[] {
  return open.map((question) => ({ question, outcome: 'human_required', evidence: [] }));
}

/** An answer without words or evidence is none (requirement 3); the first for each question counts. */
function settled(open: readonly number[], { answers }: ReviewReply): ReviewAnswer[] {
  const counting = answers.filter(
    ({ question, outcome, answer: said, evidence }) =>
      open.includes(question) && (outcome === 'human_required' || (said !== undefined && evidence.length > 0)),
  );
  return counting.filter(({ question }, index) => counting.findIndex((other) => other.question === question) === index);
}

type Reviewable = Pick<State, 'policy'>;

/** Whether the policy sends it to a reviewer first: it was submitted, and no reviewer has seen this revision. */
export function isReviewDue({ policy }: Reviewable, rfc: Rfc): boolean {
  return policy.review?.onSubmit === true && isRfcWaiting(rfc) && rfc.review.stage === null;
}

/** Whether to notify the human of it now: with a reviewer that comes first, once that one is done and the author is not next. */
export function isForHumanNow({ policy }: Reviewable, rfc: Rfc): boolean {
  if (!isRfcWaiting(rfc)) return false;
  return policy.review?.onSubmit !== true || rfc.review.stage === 'awaiting_human';
}
