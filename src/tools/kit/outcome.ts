/**
 * How a wait or a check ended, in the words that every channel uses: `result` in JSON and in MCP's structured content, and
 * the exit code on the command line. docs/outcomes.md has the table.
 */
import { isLapsed } from '../../app/question/questions.ts';
import { isRefused, isUnapproved } from '../../app/question/views.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { RequestView } from '../../app/request/views.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';

export type Result =
  /** A human decided, and the agent may continue. */
  | 'proceed'
  /** A human said no, or closed an approval without an answer. */
  | 'refused'
  /** Denied by a hold, a refusal or an UNKNOWN store. */
  | 'denied'
  /** No human answered in time. This is not an approval, though nothing was held. */
  | 'expired'
  /** The agent took its own question back. */
  | 'withdrawn'
  | 'waiting'
  | 'error';

export const exitCodes: Readonly<Record<Result, 0 | 1 | 2 | 3>> = {
  proceed: 0,
  error: 1,
  refused: 2,
  denied: 2,
  expired: 2,
  withdrawn: 2,
  waiting: 3,
};

export function resultOf(question: QuestionView): Result {
  if (question.resolution === null) return isLapsed(question) ? 'expired' : 'waiting';
  if (question.resolution === 'withdrawn') return 'withdrawn';
  return isRefused(question) || isUnapproved(question) ? 'refused' : 'proceed';
}

/**
 * For an RFC, only an approval means `proceed`. Whoever waits for an amendment must not take its rejection for a yes;
 * once the approved revision is implemented, the rejection no longer matters.
 */
export function rfcResultOf(rfc: RfcSummary): Result {
  if (rfc.waiting) return 'waiting';
  const action = rfc.last_decision?.action;
  // A draft waits for its author: no human can decide on it yet.
  if (action === undefined) return 'denied';
  return action === 'approved' || isImplemented(rfc) ? 'proceed' : 'refused';
}

/** A rejected amendment does not undo the approval. */
function isImplemented({ status, approval }: RfcSummary): boolean {
  return status === 'implemented' && approval !== null;
}

/** An accepted request stays open until it is completed; no other end means `proceed`. */
const resultOfRequest = {
  created: 'waiting',
  pending: 'waiting',
  accepted: 'waiting',
  deferred: 'waiting',
  completed: 'proceed',
  rejected: 'refused',
  cancelled: 'refused',
  expired: 'expired',
} as const satisfies Record<RequestView['status'], Result>;

/** A request's outcome is its status. It grants and forbids nothing else. */
export function requestOutcomeOf({ status }: RequestView): Outcome {
  return { result: resultOfRequest[status], outcome: status, effect: null, approved: null };
}

/** The outcome of one question, RFC or request, for programs. */
export interface Outcome {
  readonly result: Result;
  /** `answered`, `cancelled`, `released`, `expired`, `waiting`, `held_here`, `not_raised` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: AnswerEffect | null;
  readonly approved: boolean | null;
}

export function outcomeOf(question: QuestionView): Outcome {
  const { resolution, status, effect, approved, waiting_for } = question;
  return {
    result: resultOf(question),
    outcome: resolution ?? (status === 'expired' ? 'expired' : waiting_for === 'agent' ? 'asked_back' : 'waiting'),
    effect,
    approved,
  };
}

/** Of a question that is held on this machine, and that no human can see yet. */
export const waitingHere: Outcome = { result: 'waiting', outcome: 'held_here', effect: null, approved: null };

/** Of a question that was held on this machine, and that the journal did not accept when the server answered. */
export const refusedHere: Outcome = { result: 'denied', outcome: 'not_raised', effect: null, approved: null };

export function rfcOutcomeOf(rfc: RfcSummary): Outcome {
  const result = rfcResultOf(rfc);
  const decision = rfc.waiting ? null : rfc.last_decision;
  const stops = decision?.action === 'rejected' && decision.then === 'stop';
  return {
    result,
    outcome: rfc.waiting ? 'waiting' : isImplemented(rfc) ? 'approved' : (decision?.action ?? rfc.status),
    effect: decision ? (result === 'proceed' ? 'proceed' : stops ? 'stop' : 'do_not') : null,
    approved: decision ? result === 'proceed' : null,
  };
}

/** The outcome of several: refusals win, then approvals, then everything undecided. */
export function overall(outcomes: readonly Outcome[]): Outcome {
  const order: readonly Result[] = ['refused', 'proceed', 'denied', 'expired', 'withdrawn', 'waiting'];
  for (const result of order) {
    const found = outcomes.find((one) => one.result === result);
    if (found) return found;
  }
  return { result: 'proceed', outcome: 'none', effect: null, approved: null };
}
