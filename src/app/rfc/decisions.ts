/**
 * The human side of RFCs: signed decisions and comments. Only the editor imports this, like `decisions.ts`. A decision
 * is bound to one revision by its hash and never applies to a later one.
 */
import { definitionOf } from '../../core/decision/decisions.ts';
import { plural } from '../../core/kit/text.ts';
import type { Anchor, FeedbackType, RejectionThen } from '../../core/records/rfc.ts';
import { actProblem, approvalGaps, canTakeOver, latestRevision, type RfcAct } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import { needsPasskey, rulesFor } from '../../core/state/quorum.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { Act } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import {
  humanActor,
  requireDecided,
  shownHash,
  sign,
  type Outcome,
  type Signing,
  type Unsigned,
  requirePerson,
  type Signer,
} from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';
import { raiseHumanQuestions } from './review.ts';
import { requireRfc, requireRfcView, type RfcView } from './views.ts';

export type RfcVerdict =
  | {
      readonly kind: 'approve';
      readonly conditions: readonly string[];
      readonly constraints: readonly string[];
    }
  | { readonly kind: 'request_changes'; readonly reason: string }
  | { readonly kind: 'reject'; readonly reason: string; readonly then: RejectionThen }
  | { readonly kind: 'withdraw'; readonly reason: string };

export interface RfcOutcome {
  readonly outcome: Outcome;
  readonly rfc: RfcView;
}

/** What a form shows: an RFC, a revision, a thread or an open question. */
export type Shown =
  | { readonly kind: 'rfc.approved' }
  | { readonly kind: 'rfc.commented'; readonly revision: number; readonly thread?: number }
  | { readonly kind: 'rfc.threadReplied' | 'rfc.threadResolved'; readonly thread: number }
  | { readonly kind: 'rfc.answerOverruled'; readonly question: number };

/** Hash of the content that a form shows; returned with the act. */
export function shownRfcHash(state: State, { id }: Rfc, what: Shown = { kind: 'rfc.approved' }): string {
  const record = { id, ...what } as Unsigned;
  return hashOf(definitionOf(record).shown(state, record));
}

const acts: Readonly<Record<RfcVerdict['kind'], RfcAct>> = {
  approve: 'approve',
  request_changes: 'request changes',
  reject: 'reject',
  withdraw: 'withdraw',
};

/** Whether this decision is possible now, apart from missing answers and open threads. */
export function canDecide(rfc: Rfc, kind: RfcVerdict['kind']): boolean {
  return actProblem(rfc, acts[kind]) === null;
}

/**
 * Decides one RFC, or its amendment.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`; `conflict` naming what an approval still needs; `bad_input`; StoreError
 */
export async function decideRfc(signing: Signing, id: string, verdict: RfcVerdict, shown: string): Promise<RfcOutcome> {
  const { store, signer } = signing;
  const outcome = await store.transact(humanActor(signer), ({ state, now }): Act<Outcome> => {
    const rfc = requireRfc(state, id);
    if (actProblem(rfc, acts[verdict.kind]) !== null) return { records: [], result: 'already' };
    if (shown !== shownRfcHash(state, rfc)) return { records: [], result: 'changed' };
    const problem = verdict.kind === 'approve' ? gapWords(state, rfc) : null;
    if (problem !== null) throw new AppError('conflict', problem);
    if (rfc.status === 'approved' && verdict.kind === 'reject' && verdict.then === 'stop')
      throw new AppError(
        'bad_input',
        `the approved revision of ${id} stays in force: only the amendment can be rejected`,
      );
    const record = recordFor(rfc, verdict);
    const effect = requirePerson(state, record, shown, signer);
    const ended =
      effect === 'counts' && (verdict.kind === 'withdraw' || (verdict.kind === 'reject' && rfc.status !== 'approved'));
    // Its open human questions are now moot, and only a human's signature can close them.
    const moot = ended ? mootQuestions(state, rfc, signer) : [];
    const reason = `${id} was ${verdict.kind === 'withdraw' ? 'withdrawn' : 'rejected'}.`;
    const cancelled = moot.map((question) =>
      sign(signing, { kind: 'question.cancelled', v: 1, id: question.id, reason }, shownHash(state, question), now),
    );
    const result = effect === 'kept' ? 'kept' : 'decided';
    return { records: [sign(signing, record, shown, now), ...cancelled], result };
  });
  return { outcome, rfc: requireRfcView(store.read(), id) };
}

function mootQuestions(state: State, rfc: Rfc, { isPasskey = false }: Signer): Question[] {
  return openHumanQuestions(state, rfc).filter(
    (one) => rulesFor(state, one).length === 0 && (isPasskey || !needsPasskey(state, one)),
  );
}

/** Why an approval is not possible now, as text; null when it is. */
export function gapWords(state: State, rfc: Rfc): string | null {
  const { threads, questions, open } = approvalGaps(state, rfc);
  const parts = [
    threads.length === 0 ? '' : plural(threads.length, 'blocking thread'),
    questions.length === 0 ? '' : `${plural(questions.length, 'question')} for a human`,
    open.length === 0 ? '' : `${plural(open.length, 'question')} without an answer`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `${rfc.id} cannot be approved yet: ${parts.join(' and ')} open`;
}

function recordFor(rfc: Rfc, verdict: RfcVerdict): Unsigned {
  const { number: revision, hash } = latestRevision(rfc);
  const about = { v: 1, id: rfc.id, revision } as const;
  switch (verdict.kind) {
    case 'approve': {
      const { conditions, constraints } = verdict;
      return { kind: 'rfc.approved', ...about, hash, conditions: [...conditions], constraints: [...constraints] };
    }
    case 'request_changes':
      return { kind: 'rfc.changesRequested', ...about, reason: verdict.reason };
    case 'reject':
      return { kind: 'rfc.rejected', ...about, reason: verdict.reason, then: verdict.then };
    case 'withdraw':
      return { kind: 'rfc.withdrawn', v: 1, id: rfc.id, reason: verdict.reason };
  }
}

function openHumanQuestions(state: State, rfc: Rfc) {
  return rfc.questions.flatMap(({ asked }) => {
    const question = state.questions.get(asked ?? '');
    return question?.resolution === null && question.status === 'pending' ? [question] : [];
  });
}

export interface Comment {
  /** The revision it refers to, possibly an earlier one. */
  readonly revision: number;
  readonly type: FeedbackType;
  readonly section: Anchor;
  readonly quote?: string | undefined;
  readonly text: string;
  /** True: prevents approval until a human resolves it. */
  readonly blocking: boolean;
}

/**
 * Opens a thread.
 * @throws AppError `not_found`, `conflict` when it differs from what was shown, `bad_input`
 */
export async function commentOnRfc(signing: Signing, id: string, comment: Comment, shown: string): Promise<RfcView> {
  const { quote, ...rest } = comment;
  return remark(signing, id, shown, ({ threads }) => ({
    ...{ kind: 'rfc.commented', v: 1, id, thread: threads.length + 1, ...rest },
    ...(quote === undefined ? {} : { quote }),
  }));
}

/** @throws AppError `not_found`, `conflict` when the thread has changed since it was shown, `bad_input` */
export async function replyToThread(
  signing: Signing,
  id: string,
  { thread, text }: { readonly thread: number; readonly text: string },
  shown: string,
): Promise<RfcView> {
  return remark(signing, id, shown, (rfc) => ({
    kind: 'rfc.threadReplied',
    v: 1,
    id,
    thread,
    reply: requireThread(rfc, thread).replies + 1,
    text,
  }));
}

/** @throws AppError `not_found`, `conflict` when the thread has changed since it was shown or is already resolved */
export async function resolveThread(signing: Signing, id: string, thread: number, shown: string): Promise<RfcView> {
  return remark(signing, id, shown, (rfc) => {
    if (requireThread(rfc, thread).resolved)
      throw new AppError('conflict', `thread ${String(thread)} of ${id} is already resolved`);
    return { kind: 'rfc.threadResolved', v: 1, id, thread };
  });
}

/**
 * Takes over an unanswered question, or rejects a reviewer's answer: a human is now asked.
 * @throws AppError `not_found`, `conflict` when it has an answer of another kind
 */
export async function overruleAnswer(
  signing: Signing,
  id: string,
  { question, reason }: { readonly question: number; readonly reason?: string },
  shown: string,
): Promise<RfcView> {
  await remark(signing, id, shown, (rfc, state) => {
    const asked = rfc.questions[question - 1];
    if (!asked || !canTakeOver(state, asked))
      throw new AppError('conflict', `question ${String(question)} of ${id} already has an answer, or is for a human`);
    return { kind: 'rfc.answerOverruled', v: 1, id, question, ...(reason === undefined ? {} : { reason }) };
  });
  await raiseHumanQuestions(signing.store);
  return requireRfcView(signing.store.read(), id);
}

type Remark = Extract<
  Unsigned,
  { kind: 'rfc.commented' | 'rfc.threadReplied' | 'rfc.threadResolved' | 'rfc.answerOverruled' }
>;

async function remark(
  signing: Signing,
  id: string,
  shown: string,
  make: (rfc: Rfc, state: State) => Remark,
): Promise<RfcView> {
  await requireDecided(signing, ({ state }) => make(requireRfc(state, id), state), shown);
  return requireRfcView(signing.store.read(), id);
}

function requireThread(rfc: Rfc, number: number) {
  const thread = rfc.threads[number - 1];
  if (!thread) throw new AppError('not_found', `${rfc.id} has no thread ${String(number)}`);
  return thread;
}
