/** Effects of RFC records by agents, the reviewer and the system: all of them only add holds. */
import {
  type Change,
  Inadmissible,
  type Effects,
  type Folding,
  forgetUnchanged,
  requireNone,
} from '../state/change.ts';
import type { Trust } from '../records/decision.ts';
import type { CountedLine, PlainOf } from '../records/plain.ts';
import {
  actProblem,
  isHoldingRfc,
  isWriter,
  latestProblem,
  nextRfcId,
  questionState,
  revisionStatus,
  writersOf,
} from './rfc.ts';
import type { OpenQuestion, Rfc, Thread } from '../state/items.ts';
import type { RfcDocument, RfcRecord } from '../records/rfc.ts';
import type { State } from '../state/state.ts';
import { sameTextKey } from '../kit/text.ts';
import type { WorkKind } from '../kit/words.ts';

export const rfcEffects: Effects<RfcRecord['kind']> = {
  'rfc.proposed': propose,
  'rfc.revised': revise,
  'rfc.widened': (at, record) => {
    saveRfc(at, widenRfc(at.state, touchRfc(at, record), record));
  },
  'rfc.handedOver': (at, record) => {
    const rfc = touchRfc(at, record);
    requireWriter(at, rfc);
    if (revisionStatus(rfc) === null && rfc.status !== 'approved')
      throw new Inadmissible(`${rfc.id} is ${rfc.status}: there is nothing to hand over`);
    saveRfc(at, { ...rfc, keeper: record.to === rfc.asker.id ? null : record.to });
  },
  'rfc.addressed': (at, record) => {
    const rfc = touchRfc(at, record);
    requireWriter(at, rfc);
    if (revisionStatus(rfc) === null) throw new Inadmissible(`${rfc.id} is ${rfc.status}: it needs no decision`);
    saveRfc(at, { ...rfc, for: record.to });
  },
  'rfc.submitted': (at, record) => {
    const rfc = touchRfc(at, record);
    requireWriter(at, rfc);
    requireNone(actProblem(rfc, 'submit'));
    requireNone(latestProblem(rfc, record.revision));
    const submitted = { ...rfc, waitingSince: at.line.time };
    const isDraft = rfc.status === 'draft';
    saveRfc(at, isDraft ? { ...submitted, status: 'under_review' } : { ...submitted, amendment: 'under_review' });
  },
  'rfc.feedbackGiven': (at, record) => {
    if (record.type === 'approval') throw new Inadmissible('feedback that approves is for humans');
    saveRfc(at, withThread(at, touchRfc(at, record), record, agentOf(at)));
  },
  'rfc.feedbackReplied': (at, record) => {
    saveRfc(at, withReply(at, touchRfc(at, record), record, agentOf(at)));
  },
  'rfc.implemented': (at, record) => {
    const rfc = touchRfc(at, record);
    requireNone(actProblem(rfc, 'implement'));
    saveRfc(at, { ...rfc, status: 'implemented' });
  },
  'rfc.reviewed': (at, record) => {
    saveRfc(at, applyReview(at.state, touchRfc(at, record), record));
  },
  'rfc.reviewOffered': requireReview,
  'rfc.reviewAcknowledged': requireReview,
  'rfc.decisionOffered': requireDecision,
  'rfc.decisionAcknowledged': requireDecision,
};

/** The RFC before the record changes it. */
export function touchRfc({ state, line }: Folding, { id }: { readonly id: string }): Rfc {
  return { ...requireRfc(state, id), updatedAt: line.time };
}

function agentOf({ line }: Folding): Writer {
  return { by: line.actor.id, signed: false };
}

function requireReview({ state }: Folding, { id, review }: { readonly id: string; readonly review: number }): void {
  if (review > requireRfc(state, id).review.count) throw new Inadmissible(`${id} has no review ${String(review)}`);
}

function requireDecision(
  { state }: Folding,
  { id, decision }: { readonly id: string; readonly decision: number },
): void {
  if (decision > requireRfc(state, id).decisions) throw new Inadmissible(`${id} has no decision ${String(decision)}`);
}

function revise(at: Folding, record: PlainOf<'rfc.revised'>): void {
  const { line, trust } = at;
  const rfc = touchRfc(at, record);
  requireWriter(at, rfc);
  requireNone(actProblem(rfc, 'revise'));
  requireNext('revision', record.revision, rfc.revisions.length);
  // The approved revision stays in force; nothing of the amendment is approved.
  const amendment = rfc.status === 'approved' ? (rfc.amendment ?? 'under_review') : rfc.amendment;
  const submitted = revisionStatus({ ...rfc, amendment }) === 'under_review';
  saveRfc(at, {
    ...rfc,
    title: record.document.title,
    revisions: [...rfc.revisions, revisionOf(rfc.revisions.length + 1, record.document, line, trust)],
    amendment,
    waitingSince: submitted ? line.time : rfc.waitingSince,
    questions: questionsAfter(rfc.questions, record.document),
    review: { ...rfc.review, stage: null },
  });
}

function propose(at: Folding, record: PlainOf<'rfc.proposed'>): void {
  const { state, line, trust } = at;
  const expected = nextRfcId(state);
  if (record.id !== expected) throw new Inadmissible(`the next RFC is ${expected}, not ${record.id}`);
  requireWork(state, record.workflows, 'workflow');
  requireWork(state, record.tasks, 'task');
  saveRfc(at, {
    id: record.id,
    title: record.document.title,
    status: 'draft',
    asker: line.actor,
    keeper: null,
    for: record.for ?? null,
    proposedAt: line.time,
    updatedAt: line.time,
    waitingSince: null,
    workflows: [...new Set(record.workflows)],
    tasks: [...new Set(record.tasks)],
    holds: [...new Set(record.holds)],
    addedHolds: [],
    widened: null,
    contexts: record.contexts,
    revisions: [revisionOf(1, record.document, line, trust)],
    approval: null,
    amendment: null,
    threads: [],
    questions: questionsAfter([], record.document),
    review: { stage: null, count: 0, loops: 0 },
    decisions: 0,
    ended: null,
  });
}

function revisionOf(number: number, document: RfcDocument, line: CountedLine, trust: Trust) {
  return { number, hash: trust.hash(document), by: line.actor.id, at: line.time };
}

/** A question keeps its number while its words stay the same; questions that are no longer asked are kept too. */
function questionsAfter(before: readonly OpenQuestion[], document: RfcDocument): OpenQuestion[] {
  const asked = new Map(document.questions.map((question) => [sameTextKey(question.text), question]));
  const known = before.map((question) => {
    const key = sameTextKey(question.text);
    const now = asked.get(key);
    asked.delete(key);
    const standing = { ...question, inDocument: now !== undefined, checked: now?.answered ?? false };
    return now?.humanRequired ? { ...standing, required: true, answeredIn: null } : standing;
  });
  const fresh = [...asked.values()].map(({ text, answered, humanRequired = false }, index) => ({
    number: known.length + index + 1,
    text,
    inDocument: true,
    checked: answered,
    answeredIn: null,
    required: humanRequired,
    asked: null,
  }));
  return [...known, ...fresh];
}

function widenRfc(state: State, rfc: Rfc, record: PlainOf<'rfc.widened'>): Rfc {
  const holding = isHoldingRfc(rfc);
  const more = record.addWorkflows.length + record.addTasks.length + record.addHolds.length > 0;
  if (more && !holding) throw new Inadmissible(`${rfc.id} is ${rfc.status}: nothing can be added to what it holds`);
  requireWork(state, record.addWorkflows, 'workflow');
  requireWork(state, record.addTasks, 'task');
  const contexts = record.addContexts.filter(
    ({ id, role }) => !rfc.contexts.some((known) => known.id === id && known.role === role),
  );
  return {
    ...rfc,
    workflows: [...new Set([...rfc.workflows, ...record.addWorkflows])],
    tasks: [...new Set([...rfc.tasks, ...record.addTasks])],
    addedHolds: [...new Set([...rfc.addedHolds, ...record.addHolds])],
    contexts: [...rfc.contexts, ...contexts],
  };
}

/** Any feedback opens a thread, separate from the document. */
export function withThread(at: Folding, rfc: Rfc, record: Comment, writer: Writer): Rfc {
  requireNext('thread', record.thread, rfc.threads.length);
  if (record.revision > rfc.revisions.length)
    throw new Inadmissible(`${rfc.id} has no revision ${String(record.revision)}`);
  const texts = textsOfComment(at, record, writer);
  const thread = { number: record.thread, blocking: record.blocking, resolved: false, replies: 0, texts };
  return { ...rfc, threads: [...rfc.threads, thread] };
}

/** A reply changes only the thread; it resolves nothing. */
export function withReply(at: Folding, rfc: Rfc, record: Reply, writer: Writer): Rfc {
  const thread = requireThread(rfc, record.thread);
  requireNext('reply', record.reply, thread.replies);
  const replied = { ...thread, replies: record.reply, texts: textsWithReply(at, thread, record, writer) };
  return { ...rfc, threads: rfc.threads.map((other) => (other === thread ? replied : other)) };
}

/** Reviews are advice: they can refer a question to a human, never take one away. */
function applyReview(state: State, rfc: Rfc, record: PlainOf<'rfc.reviewed'>): Rfc {
  if (revisionStatus(rfc) === null) throw new Inadmissible(`${rfc.id} is ${rfc.status}: there is nothing to review`);
  requireNext('review', record.review, rfc.review.count);
  requireNone(latestProblem(rfc, record.revision));
  let { questions } = rfc;
  for (const answer of record.answers) {
    const question = questions[answer.question - 1];
    if (!question?.inDocument) throw new Inadmissible(`${rfc.id} has no open question ${String(answer.question)}`);
    if (question.required) throw new Inadmissible(`question ${String(answer.question)} of ${rfc.id} is for a human`);
    if (questionState(state, question) !== 'unanswered')
      throw new Inadmissible(`question ${String(answer.question)} of ${rfc.id} already has an answer`);
    if (answer.outcome === 'answered' && answer.answer === undefined)
      throw new Inadmissible(`the answer to question ${String(answer.question)} is missing`);
    const after =
      answer.outcome === 'answered'
        ? { ...question, answeredIn: record.review }
        : { ...question, required: true, answeredIn: null };
    questions = questions.map((other) => (other === question ? after : other));
  }
  return {
    ...rfc,
    questions,
    review: {
      stage: record.stage,
      count: record.review,
      loops: rfc.review.loops + (record.followUp ? 1 : 0),
    },
  };
}

/**
 * A question that names an RFC asks a human one of its open questions, word for word and once. Validates the link
 * first; the caller applies it after the question's own rules have passed.
 */
export function linking(state: State, record: PlainOf<'question.raised'>): ((change: Change) => void) | null {
  if (!record.rfc) return null;
  const rfc = requireRfc(state, record.rfc.id);
  const question = rfc.questions[record.rfc.question - 1];
  if (!question) throw new Inadmissible(`${rfc.id} has no open question ${String(record.rfc.question)}`);
  if (!question.required) throw new Inadmissible(`question ${String(question.number)} of ${rfc.id} is not for a human`);
  if (question.asked !== null) throw new Inadmissible(`${question.asked} asks this already`);
  if (sameTextKey(record.text) !== sameTextKey(question.text))
    throw new Inadmissible(`question ${String(question.number)} of ${rfc.id} has other words`);
  return (change) => {
    const asked = { ...question, asked: record.id };
    const questions = rfc.questions.map((other) => (other === question ? asked : other));
    saveRfc({ state, change }, { ...rfc, questions });
  };
}

function requireRfc(state: State, id: string): Rfc {
  const rfc = state.rfcs.get(id);
  if (!rfc) throw new Inadmissible(`there is no RFC ${id}`);
  return rfc;
}

export function requireThread(rfc: Rfc, number: number) {
  const thread = rfc.threads[number - 1];
  if (!thread) throw new Inadmissible(`${rfc.id} has no thread ${String(number)}`);
  return thread;
}

/** Only writers of an RFC may change it; other agents comment, or propose their own. */
function requireWriter({ line: { actor } }: Folding, rfc: Rfc): void {
  if (!isWriter(rfc, actor))
    throw new Inadmissible(`${rfc.id} is written by ${writersOf(rfc).join(' and ')}, not by ${actor.id}`);
}

function requireNext(what: string, given: number, count: number): void {
  if (given !== count + 1) throw new Inadmissible(`the next ${what} is ${String(count + 1)}, not ${String(given)}`);
}

function requireWork(state: State, ids: readonly string[], kind: WorkKind): void {
  for (const id of ids) {
    const item = state.work.get(id);
    if (!item) throw new Inadmissible(`${kind} ${id} is not registered`);
    if (item.kind !== kind) throw new Inadmissible(`${id} is a ${item.kind}, not a ${kind}`);
  }
}

/** Writes an RFC and updates the index of holders. */
export function saveRfc({ state, change }: Pick<Folding, 'state' | 'change'>, rfc: Rfc): void {
  const holds = isHoldingRfc(rfc);
  change.set(state.rfcs, rfc.id, holds || rfc.widened === null ? rfc : { ...rfc, widened: null });
  if (holds) change.add(state.holders, rfc.id);
  else change.drop(state.holders, rfc.id);
  if (!holds) forgetUnchanged(state, change, rfc.id);
}

// The texts of a thread as one hash, so that a decision on it covers them: that of its comment, or of its last reply
// with the hash before it. The state has no texts; programs that have them can compute the hash again.

/** What a record says. The schema has written out each default. */
type Comment = Pick<
  PlainOf<'rfc.feedbackGiven'>,
  'id' | 'thread' | 'revision' | 'type' | 'section' | 'quote' | 'text' | 'blocking'
>;
type Reply = Pick<PlainOf<'rfc.feedbackReplied'>, 'thread' | 'reply' | 'text'>;

interface Writer {
  readonly by: string;
  /** Whether a human's signature proves who wrote it. */
  readonly signed: boolean;
}

type Trusting = Pick<Folding, 'trust'>;

function textsOfComment({ trust }: Trusting, comment: Comment, { by, signed }: Writer): string {
  const { id, thread, revision, type, section, quote, text, blocking } = comment;
  const quoted = quote === undefined ? {} : { quote };
  return trust.hash({ id, thread, revision, type, section, ...quoted, text, blocking, by, signed });
}

function textsWithReply(
  { trust }: Trusting,
  { texts: before }: Thread,
  { reply, text }: Reply,
  { by, signed }: Writer,
) {
  return trust.hash({ before, reply, text, by, signed });
}
