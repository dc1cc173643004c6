/**
 * How a wait or a check ended, in the words that every channel uses: `result` in JSON and in MCP's data, and
 * the exit code on the command line. docs/outcomes.md has the table.
 */
import { isLapsed } from '../../app/question/questions.ts';
import { isRefused, isUnapproved, type NamedWork, type QuestionView } from '../../app/question/views.ts';
import type { RequestView } from '../../app/request/views.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';
import { workNamedBy } from '../rfc/texts.ts';
import { holdersIn, type Reader } from './reader.ts';

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
 * For an RFC, only an approval means `proceed`. Whoever waits for an amendment must not read its rejection as a yes;
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

const stillHeld = 'still_held';

/** A yes is one only if the gate lets its reader continue: other holds of the same work or session may remain. */
function unlessHeld(outcome: Outcome, work: readonly NamedWork[], reader: Reader): Outcome {
  const denied = outcome.result === 'proceed' ? reader.denied(work) : null;
  return denied ? { ...outcome, result: 'denied', outcome: stillHeld, held_by: holdersIn(denied) } : outcome;
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
export function requestOutcomeOf({ status }: RequestView, reader: Reader): Outcome {
  const outcome = { result: resultOfRequest[status], outcome: status, effect: null, approved: null };
  return unlessHeld(outcome, [], reader);
}

/** The outcome of one question, RFC or request, for programs. */
export interface Outcome {
  readonly result: Result;
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: AnswerEffect | null;
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
}

export function outcomeOf(question: QuestionView, reader: Reader): Outcome {
  const { resolution, status, effect, approved, waiting_for } = question;
  const outcome = {
    result: resultOf(question),
    outcome: resolution ?? (status === 'expired' ? 'expired' : waiting_for === 'agent' ? 'asked_back' : 'waiting'),
    effect,
    approved,
  };
  return unlessHeld(outcome, question.blocks, reader);
}

export function rfcOutcomeOf(rfc: RfcSummary, reader: Reader): Outcome {
  const result = rfcResultOf(rfc);
  const decision = rfc.waiting ? null : rfc.last_decision;
  const stops = decision?.action === 'rejected' && decision.then === 'stop';
  const outcome = {
    result,
    outcome: rfc.waiting ? 'waiting' : isImplemented(rfc) ? 'approved' : (decision?.action ?? rfc.status),
    effect: decision ? (result === 'proceed' ? 'proceed' : stops ? 'stop' : 'do_not') : null,
    approved: decision ? result === 'proceed' : null,
  } as const;
  return unlessHeld(outcome, workNamedBy(rfc), reader);
}

/** The outcome of several: refusals win, then what is still held, then approvals, then everything undecided. */
export function overallOutcome(outcomes: readonly Outcome[], reader: Reader): Outcome {
  const held = outcomes.find(({ outcome }) => outcome === stillHeld);
  const order: readonly Result[] = ['refused', 'proceed', 'denied', 'expired', 'withdrawn', 'waiting'];
  for (const result of order) {
    const found = outcomes.find((one) => one.result === result);
    if (held && result === 'proceed') return held;
    if (found) return found;
  }
  return unlessHeld({ result: 'proceed', outcome: 'none', effect: null, approved: null }, [], reader);
}
