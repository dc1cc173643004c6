/** Rules of a single RFC. */
import type { OpenQuestion, Revision, Rfc, Thread } from '../state/items.ts';
import type { OpenQuestionState } from '../records/rfc.ts';
import { shownChanges, shownWidening } from '../state/heldChanges.ts';
import { shownRules } from '../state/quorum.ts';
import type { Question, State } from '../state/state.ts';
import type { Actor } from '../records/plain.ts';

/**
 * From creation until humans approve, reject or withdraw it; a rejection by too few people keeps it. An amendment of an
 * approved RFC holds nothing.
 */
export function isHoldingRfc(rfc: Rfc): boolean {
  return rfc.status === 'draft' || rfc.status === 'under_review' || isRejectedByTooFew(rfc);
}

/** Whether it is rejected, and what it held waits for more people to sign the rejection. */
function isRejectedByTooFew({ ended }: Rfc): boolean {
  return ended?.unmet === true;
}

/** Status of the latest revision: draft, under review, or settled (null). */
export function revisionStatus(rfc: Rfc): 'draft' | 'under_review' | null {
  if (rfc.status === 'draft' || rfc.status === 'under_review') return rfc.status;
  return rfc.status === 'approved' ? rfc.amendment : null;
}

/** The agents that may edit and submit it: its author, and the one it was handed over to. */
export function writersOf({ asker, keeper }: Pick<Rfc, 'asker' | 'keeper'>): string[] {
  return [asker.id, ...(keeper === null ? [] : [keeper])];
}

export function isWriter(rfc: Rfc, { kind, id }: Pick<Actor, 'kind' | 'id'>): boolean {
  return kind === 'human' || (kind === 'agent' && writersOf(rfc).includes(id));
}

/** Whether a revision or amendment waits for a human. */
export function isRfcWaiting(rfc: Rfc): boolean {
  return revisionStatus(rfc) === 'under_review' || isRejectedByTooFew(rfc);
}

/** Since when its latest revision waits for a human; of one that does not wait, since when it exists. */
export function sinceOf(rfc: Rfc): string {
  return isRfcWaiting(rfc) ? (rfc.waitingSince ?? rfc.proposedAt) : rfc.proposedAt;
}

export function latestRevision(rfc: Rfc): Revision {
  const last = rfc.revisions.at(-1);
  if (!last) throw new Error(`${rfc.id} has no revision`);
  return last;
}

/** The revision to read: the latest, or the approved one if the amendment after it was rejected. */
export function textRevision(rfc: Rfc): number {
  return rfc.approval !== null && rfc.amendment === null ? rfc.approval.revision : latestRevision(rfc).number;
}

export type RfcAct = 'revise' | 'submit' | 'implement' | 'approve' | 'request changes' | 'reject' | 'withdraw';

/** The places of the latest revision in which each act is allowed. `approved` alone means without an amendment. */
const allowed: Readonly<Record<RfcAct, readonly string[]>> = {
  revise: ['draft', 'under_review', 'approved', 'amendment draft', 'amendment under_review'],
  submit: ['draft', 'amendment draft'],
  implement: ['approved'],
  approve: ['under_review', 'amendment under_review'],
  'request changes': ['under_review', 'amendment under_review'],
  reject: ['draft', 'under_review', 'amendment draft', 'amendment under_review', 'rejected by too few'],
  withdraw: ['draft', 'under_review'],
};

/** The place of an RFC, in the terms of `allowed`. */
function placeOf(rfc: Rfc): string {
  if (isRejectedByTooFew(rfc)) return 'rejected by too few';
  return rfc.status === 'approved' && rfc.amendment !== null ? `amendment ${rfc.amendment}` : rfc.status;
}

export function actProblem(rfc: Rfc, act: RfcAct): string | null {
  const place = placeOf(rfc);
  if (allowed[act].includes(place)) return null;
  return `${rfc.id} is ${placeWords(rfc)}: it cannot be ${done[act]}`;
}

export function latestProblem(rfc: Rfc, revision: number): string | null {
  const latest = latestRevision(rfc).number;
  if (revision === latest) return null;
  return `the latest revision of ${rfc.id} is ${String(latest)}, not ${String(revision)}`;
}

const done: Readonly<Record<RfcAct, string>> = {
  revise: 'revised any more; propose a new one',
  submit: 'submitted',
  implement: 'marked as implemented',
  approve: 'approved',
  'request changes': 'sent back for changes',
  reject: 'rejected',
  withdraw: 'withdrawn',
};

/** `draft`, `under review`, `approved, with an amendment under review`. */
export function placeWords(rfc: Rfc): string {
  const status = rfc.status.replaceAll('_', ' ');
  if (rfc.status !== 'approved' || rfc.amendment === null) return status;
  return rfc.amendment === 'draft'
    ? 'approved, with an amendment being written'
    : 'approved, with an amendment under review';
}

export function questionState(state: State, question: OpenQuestion): OpenQuestionState {
  if (question.required) {
    const asked = question.asked === null ? undefined : state.questions.get(question.asked);
    // Its agent may have withdrawn it: that is not a human's answer.
    const how = asked?.resolution?.how;
    return how === undefined || how === 'withdrawn' ? 'human_required' : 'human_answered';
  }
  if (question.answeredIn !== null) return 'ai_answered';
  return question.checked ? 'author_answered' : 'unanswered';
}

export function unansweredQuestions(state: State, rfc: Rfc): OpenQuestion[] {
  return rfc.questions.filter((question) => question.inDocument && questionState(state, question) === 'unanswered');
}

export function canTakeOver(state: State, question: OpenQuestion): boolean {
  return question.answeredIn !== null || (question.inDocument && questionState(state, question) === 'unanswered');
}

/** What prevents an approval; empty if nothing does. */
interface ApprovalGaps {
  readonly threads: readonly Thread[];
  /** Questions that only a human's answer settles. */
  readonly questions: readonly OpenQuestion[];
  /** Unanswered questions: a human waives each by name, or takes it over. */
  readonly open: readonly OpenQuestion[];
}

/** "Approve is refused while a blocking thread or a HUMAN REQUIRED question is open". */
export function approvalGaps(state: State, rfc: Rfc): ApprovalGaps {
  return {
    threads: rfc.threads.filter(({ blocking, resolved }) => blocking && !resolved),
    questions: rfc.questions.filter((question) => questionState(state, question) === 'human_required'),
    open: unansweredQuestions(state, rfc),
  };
}

export function waivedQuestion({ id }: Pick<Rfc, 'id'>, { number, text }: OpenQuestion): object {
  return { rfc: id, question: number, text };
}

export function nextRfcId(state: State): string {
  return `RFC-${String(state.rfcs.size + 1)}`; // the fold admits only consecutive numbers
}

/**
 * What a human is shown of an RFC and signs when deciding. Threads, answers and revisions are listed by number, because
 * the journal never changes and the signature names its head.
 */
export function shownRfc(state: State, rfc: Rfc): object {
  return {
    id: rfc.id,
    status: rfc.status,
    amendment: rfc.amendment,
    title: rfc.title,
    revision: latestRevision(rfc),
    approval: rfc.approval,
    workflows: rfc.workflows,
    tasks: rfc.tasks,
    holds: [...rfc.holds, ...rfc.addedHolds],
    ...shownWidening(rfc),
    ...(rfc.for === null ? {} : { for: rfc.for }),
    contexts: rfc.contexts,
    ...shownRules(state, rfc),
    ...shownChanges(state, rfc.id),
    threads: rfc.threads,
    questions: rfc.questions.map((question) => ({ ...question, state: questionState(state, question) })),
  };
}

/**
 * What a human is shown when commenting on one revision, whatever happened to the RFC since. Null if it does not exist.
 */
export function shownRevision(rfc: Rfc, number: number): object | null {
  const revision = rfc.revisions[number - 1];
  return revision ? { id: rfc.id, revision } : null;
}

export function shownThread(rfc: Rfc, number: number): object | null {
  const thread = rfc.threads[number - 1];
  return thread ? { id: rfc.id, thread } : null;
}

export function shownOpenQuestion(rfc: Rfc, number: number): object | null {
  const question = rfc.questions[number - 1];
  return question ? { id: rfc.id, question } : null;
}

/**
 * Terms that a human set for work with an approval, with a rejection that lets it continue another way, or with a
 * refusal.
 */
export interface Binding {
  readonly from: Rfc | Question;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

/** Null for an RFC without terms (yet). */
export function bindingOf(rfc: Rfc): Binding | null {
  if (rfc.approval) return { from: rfc, conditions: rfc.approval.conditions, constraints: rfc.approval.constraints };
  if (rfc.ended?.how === 'rejected' && rfc.ended.then === 'another_way')
    return { from: rfc, conditions: [], constraints: [rfc.ended.reason] };
  return null;
}

// Who receives the decisions on an RFC.

export function recipientsOf({ work }: Pick<State, 'work'>, { asker, workflows, tasks }: Rfc): ReadonlySet<string> {
  const owners = [...workflows, ...tasks].map((id) => work.get(id)?.assignee ?? null);
  return new Set([asker.id, ...owners.filter((owner) => owner !== null)]);
}
