/**
 * The reviewer's loop as a pure state machine: what a reply settles, and the next step. Revisions and question loops
 * share one budget. It approves nothing: the best verdict leads to a human.
 */
import * as z from 'zod';
import {
  type ReviewAnswer,
  confidence,
  feedbackType,
  reviewVerdict,
  type ReviewNote,
  type ReviewStage,
  type ReviewVerdict,
} from '../records/rfc.ts';
import type { Rfc } from '../state/items.ts';
import type { State } from '../state/state.ts';
import { isRfcWaiting } from './rfc.ts';
import { otherText, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';

/** Calls per RFC, revisions and question loops together. */
export const defaultMaxIterations = 5;

const answer = z.object({
  question: z.int().positive(),
  outcome: z.enum(['answered', 'human_required']),
  answer: otherText.optional(),
  evidence: z.array(otherText).max(limits.listItems).default([]),
  confidence: confidence.optional(),
});

/** The required form of a model's reply. A follow-up may omit the verdict. */
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

type ParsedReply = { readonly reply: ReviewReply } | { readonly problem: string };

/** Parses the JSON object in a reply, fenced or bare. A first review needs a verdict. */
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

/** Progress of the review of one revision. */
interface ReviewState {
  /** Calls so far for this RFC, excluding the current one. */
  readonly count: number;
  readonly maxIterations: number;
  /** Numbers of unanswered questions. */
  readonly open: readonly number[];
  /** The verdict of an earlier call on this revision. */
  readonly verdict: ReviewVerdict | null;
}

export type ReviewStep =
  | { readonly kind: 'ask'; readonly followUp: boolean; readonly questions: readonly number[] }
  /** The author must revise; the hold stays. */
  | { readonly kind: 'revise' }
  | { readonly kind: 'await_human' };

export interface ReviewOutcome {
  readonly stage: ReviewStage;
  readonly verdict: ReviewVerdict | null;
  /** Results to record: answers with evidence, and questions for a human. */
  readonly answers: readonly ReviewAnswer[];
  readonly note: ReviewNote | null;
  readonly next: ReviewStep;
}

/** A draft goes to the reviewer unless its budget is spent. */
export function beginReview({ count, maxIterations, open }: ReviewState): ReviewStep {
  return count >= maxIterations ? { kind: 'await_human' } : { kind: 'ask', followUp: false, questions: open };
}

/** What a reply settles. Answers to questions that are not open are ignored. */
export function afterReply(state: ReviewState, reply: ReviewReply): ReviewOutcome {
  const answers = settleOpen(state.open, reply);
  const left = state.open.filter((number) => !answers.some(({ question }) => question === number));
  const verdict = reply.verdict ?? state.verdict;
  const isSpent = state.count + 1 >= state.maxIterations;
  if (isSpent && (left.length > 0 || verdict === 'revise'))
    return { ...toHuman(left, 'budget_spent', verdict), answers: [...answers, ...escalateOpen(left)] };
  // The author must revise in any case, so the questions that are still open wait for the review of the next revision.
  if (verdict === 'revise') return { stage: 'reviewing', verdict, answers, note: null, next: { kind: 'revise' } };
  if (left.length > 0)
    return {
      stage: 'questions_pending',
      verdict,
      answers,
      note: null,
      next: { kind: 'ask', followUp: true, questions: left },
    };
  return { stage: 'awaiting_human', verdict, answers, note: null, next: { kind: 'await_human' } };
}

/** Ends the loop without a reply: open questions go to a human. */
export function toHuman(
  open: readonly number[],
  note: ReviewNote,
  verdict: ReviewVerdict | null = null,
): ReviewOutcome {
  return { stage: 'awaiting_human', verdict, answers: escalateOpen(open), note, next: { kind: 'await_human' } };
}

function escalateOpen(open: readonly number[]): ReviewAnswer[] {
  return open.map((question) => ({ question, outcome: 'human_required', evidence: [] }));
}

/** Answers need words and evidence; the first for each question is used. */
function settleOpen(open: readonly number[], { answers }: ReviewReply): ReviewAnswer[] {
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
