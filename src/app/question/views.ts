/** Views of questions for lists and forms: from the fold, and what has become of outcomes from rows. */
import { AppError } from '../workspace/errors.ts';
import { compareText } from '../../core/kit/text.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { cascades, fileScopes, type Holder, type Reach } from '../../core/hold/holds.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { viewNotes, payloadOf } from '../../core/kit/fields.ts';
import { isRfcWaiting } from '../../core/rfc/rfc.ts';
import { untrustedDecision } from '../../core/fold/fold.ts';
import {
  raisedOf,
  isHolding,
  isWaiting,
  type Question,
  type State,
  undecidedQuestions,
  openAskBack,
  recipientOf,
  waitsForHuman,
} from '../../core/state/state.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import { never } from '../../core/question/question.ts';
import {
  urgencyRank,
  type AnswerEffect,
  type QuestionStatus,
  type QuestionType,
  type Urgency,
} from '../../core/kit/words.ts';
import type { View } from '../../store/store.ts';
import { needsPasskey, quorumView, signedWith } from '../../core/state/quorum.ts';
import type { ItemOf } from '../../core/records/parts.ts';
import type { AskBack } from '../../core/records/question.ts';
import { deliveryOf, jsonList, recordsOf } from '../../store/rows/read.ts';

// What has become of outcomes, which only rows know: whether their agents received them, and how often they were reused.

interface Outcome {
  /** When the receiving agent was first offered it, and when it continued with it. */
  readonly offered_at: string | null;
  readonly acknowledged_at: string | null;
  readonly reuse_count: number;
}

const noOutcome: Outcome = { offered_at: null, acknowledged_at: null, reuse_count: 0 };

function outcomesOf({ rows, state }: View, questions: readonly Question[]): (question: Question) => Outcome {
  const ids = jsonList(questions.map(({ id }) => id));
  const deliveries = rows.all<Omit<Outcome, 'reuse_count'> & { subject: string; agent: string }>(
    `SELECT subject, agent, offered_at, acknowledged_at FROM deliveries
      WHERE subject IN (SELECT value FROM json_each(?)) AND what = 'outcome'`,
    ids,
  );
  const times = new Map(deliveries.map(({ subject, agent, ...one }) => [keyOf(subject, agent), one]));
  const reuses = rows.all<{ subject: string; count: number }>(
    `SELECT subject, count(*) AS count FROM records
      WHERE subject IN (SELECT value FROM json_each(?)) AND kind = 'answer.reused' GROUP BY subject`,
    ids,
  );
  const counts = new Map(reuses.map(({ subject, count }) => [subject, count]));
  return (question) => {
    const { offered_at, acknowledged_at } = times.get(keyOf(question.id, recipientOf(state, question))) ?? noOutcome;
    return { offered_at, acknowledged_at, reuse_count: counts.get(question.id) ?? 0 };
  };
}

function keyOf(question: string, agent: string): string {
  return `${question} ${agent}`;
}

export interface NamedWork {
  readonly id: string;
  readonly title: string;
}

/** Whether a human refused, and has not lifted that. */
export function isRefused({ effect, lifted }: Pick<QuestionView, 'effect' | 'lifted'>): boolean {
  return effect !== null && effect !== 'proceed' && lifted === null;
}

/** Whether an approval was cancelled or released without an answer. */
export function isUnapproved({ effect, approved }: Pick<QuestionView, 'effect' | 'approved'>): boolean {
  return effect === null && approved === false;
}

export interface QuestionFilter {
  readonly status?: QuestionStatus | undefined;
  readonly agent?: string | undefined;
  readonly work?: string | undefined;
  readonly type?: QuestionType | undefined;
  /** High and critical only. */
  readonly urgent?: boolean | undefined;
  /** Only those waiting for a human. */
  readonly waiting?: boolean | undefined;
  /** Left out: newest first. */
  readonly order?: 'urgency' | undefined;
}

export interface QuestionList {
  readonly questions: readonly QuestionView[];
  readonly total: number;
  readonly pending_count: number;
  readonly sync_count: number;
}

export function questionView(view: View, id: string): QuestionView | null {
  return questionViews(view, [id])[0] ?? null;
}

export function requireQuestionView(view: View, id: string): QuestionView {
  const question = questionView(view, id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  return question;
}

/** Newest first, unless ordered by urgency; the counts are those of the whole selection, not of the page. */
export function listQuestions(
  view: View,
  filter: QuestionFilter = {},
  { skip, limit } = { skip: 0, limit: Infinity },
): QuestionList {
  const selected = matching(view.state, filter);
  const ids = selected.map(({ id }) => id);
  const ordered = filter.order === 'urgency' ? inOrder(view.state, ids) : ids;
  return { questions: questionViews(view, ordered.slice(skip, skip + limit)), ...countsOf(selected) };
}

function matching(state: State, { status, agent, work, type, urgent, waiting }: QuestionFilter): Question[] {
  const among = waiting ? undecidedQuestions(state) : [...state.questions.values()];
  return among
    .filter(
      (question) =>
        (status === undefined || question.status === status) &&
        (agent === undefined || question.asker.id === agent) &&
        (work === undefined || question.work === work) &&
        (type === undefined || question.facts.type === type) &&
        (!urgent || question.urgency === 'high' || question.urgency === 'critical'),
    )
    .reverse();
}

export function numberOf(id: string): number {
  return Number(id.slice('Q-'.length));
}

export function countsOf(questions: readonly Pick<Question, 'status' | 'mode'>[]): Omit<QuestionList, 'questions'> {
  return {
    total: questions.length,
    pending_count: questions.filter(({ status }) => status === 'pending').length,
    sync_count: questions.filter(({ mode }) => mode === 'sync').length,
  };
}

/** Waiting questions in the order to deal with them, then the others as they come. */
function inOrder(state: State, ids: readonly string[]): string[] {
  const place = new Map(waitingOrder(state).map(({ id }, at) => [id, at]));
  const last = place.size;
  return ids.toSorted((a, b) => (place.get(a) ?? last) - (place.get(b) ?? last));
}

export interface Pressing {
  readonly id: string;
  readonly urgency: Urgency;
  readonly raised_at: string;
  /** Number of affected work items: held ones with dependants, or the one it was asked for. */
  readonly about: number;
  /** A human asked back, and the agent has not replied. */
  readonly asked_back?: boolean;
}

/** Sort keys of a waiting question, available without the database: thousands are sorted, fifty shown. */
export interface WaitingQuestion extends ItemOf<ReturnType<typeof waitingOrder>> {}

/** Undecided questions, in the order to handle them. */
export function waitingOrder(state: State) {
  const reachOf = cascades(state);
  return undecidedQuestions(state)
    .map((question) => {
      const { open } = reachOfQuestion(question, reachOf);
      return {
        id: question.id,
        agent_id: question.asker.id,
        agent_name: state.agents.get(question.asker.id)?.label ?? question.asker.id,
        type: question.facts.type,
        /** The person or responsibility that it is for, or null. */
        for: question.facts.for,
        urgency: question.urgency,
        work: question.work === null ? null : namedWork(state, question.work),
        raised_at: question.raisedAt,
        about: open.length,
        asked_back: openAskBack(question) !== null,
      };
    })
    .sort(byPressing);
}

/** Compares by urgency, then the amount of held work, then age. Questions waiting for their agents come last, unless critical. */
export function byPressing(a: Pressing, b: Pressing): number {
  return (
    Number(isPutOff(a)) - Number(isPutOff(b)) ||
    urgencyRank(a.urgency) - urgencyRank(b.urgency) ||
    b.about - a.about ||
    compareText(a.raised_at, b.raised_at) ||
    numberOf(a.id) - numberOf(b.id) ||
    (a.id < b.id ? -1 : 1)
  );
}

function isPutOff({ asked_back = false, urgency }: Pressing): boolean {
  return asked_back && urgency !== 'critical';
}

/** Full views of questions waiting for a human, in the order to handle them. */
export function waitingQuestions(view: View): QuestionView[] {
  return questionViews(
    view,
    waitingOrder(view.state).map(({ id }) => id),
  );
}

/** Existing ones, in the order of the ids. Only those that have an outcome, or are parked, need rows. */
export function questionViews(view: View, ids: readonly string[]): QuestionView[] {
  const questions = ids.flatMap((id) => view.state.questions.get(id) ?? []);
  const decided = questions.filter(({ resolution }) => resolution !== null);
  const outcomes = decided.length > 0 ? outcomesOf(view, decided) : null;
  const reachOf = cascades(view.state);
  return questions.map((question) => viewOf(view, question, reachOf, outcomes?.(question) ?? noOutcome));
}

/** The latest human decisions, newest first. */
export function recentlyDecided(view: View, atMost: number): QuestionView[] {
  const latest: { readonly id: string; readonly at: string }[] = [];
  for (const { id, resolution } of view.state.questions.values()) {
    if (resolution === null || resolution.how === 'withdrawn') continue;
    // The state has the questions in the order of their numbers.
    const place = latest.findIndex(({ at }) => at <= resolution.at);
    latest.splice(place < 0 ? latest.length : place, 0, { id, at: resolution.at });
    if (latest.length > atMost) latest.pop();
  }
  return questionViews(
    view,
    latest.map(({ id }) => id),
  );
}

/**
 * Number of questions, RFCs, proposals and requests waiting for a human; for the badge and the status bar, from the
 * fold alone.
 */
export function waitingCount(state: State): number {
  let count = state.proposals.size;
  for (const question of undecidedQuestions(state)) if (waitsForHuman(question)) count++;
  for (const rfc of state.rfcs.values()) if (isRfcWaiting(rfc)) count++;
  if (state.responsibilities.size > 0)
    for (const request of state.requests.values()) if (isHumansTurn(state, request)) count++;
  return count;
}

/** One question with all its fields, named as in the JSON output. */
export interface QuestionView extends ReturnType<typeof viewOf> {}

function viewOf(
  view: View,
  question: Question,
  reachOf: (holder: Holder) => Reach,
  { offered_at, acknowledged_at, reuse_count }: Outcome,
) {
  const { state, now, own } = view;
  const { id, asker, raisedAt, resolution, revoked, lifted } = question;
  const raised = raisedOf(state, question);
  const { direct, dependants, open } = reachOfQuestion(question, reachOf);
  const work = question.work === null ? undefined : state.work.get(question.work);
  const effect = effectOf(question);
  return {
    id,
    agent_id: asker.id,
    agent_name: shownAgent(state.agents.get(asker.id)?.label ?? asker.id, own),
    session: asker.session ?? null,
    text: raised.text,
    type: raised.type,
    urgency: question.urgency,
    mode: question.mode,
    status: question.status,
    /** True while it blocks work: sync and undecided, or a stop that no human has lifted. */
    holding: isHolding(question),
    work:
      question.work === null
        ? null
        : { id: question.work, title: work?.title ?? question.work, kind: work?.kind ?? 'task' },
    /** Held work: the named items and their dependants. */
    blocks: direct.map((one) => namedWork(state, one)),
    cascade: dependants.map((one) => namedWork(state, one)),
    /** Number of held work items that are not finished, dependants included. */
    holds_work: isHolding(question) ? open.length : 0,
    holds: fileScopes(state, question),
    /** Set while widened to every file of the workspace; `holds` then says so too. */
    all_files: allFiles(question),
    choices: raised.choices,
    multiple: raised.multiple,
    free_text: raised.freeText,
    ...viewNotes(raised),
    /** Free data of an integration. */
    payload_json: payloadOf(raised.payload ?? null),
    alternatives: raised.alternatives,
    files: raised.files as readonly { readonly path: string; readonly line?: number }[],
    raised_at: raisedAt,
    /** Null for one that does not expire. */
    expires_at: question.expiresAt === never ? null : question.expiresAt,
    time_waiting_ms: Math.max(0, Date.parse(resolution?.at ?? now) - Date.parse(raisedAt)),
    /** Whose turn it is while it is undecided: `agent` once a human asked it back and it has not replied. */
    waiting_for: isWaiting(question)
      ? openAskBack(question) === null
        ? ('human' as const)
        : ('agent' as const)
      : null,
    /** What humans asked the agent back, and its replies, oldest first. */
    ask_backs: askBackViews(question),
    /** The resume brief of an agent that stopped waiting; null without one. */
    parked: question.parked ? parkedView(view, id) : null,
    /** Which people must decide it, and who has signed so far; null if any human can. */
    quorum: quorumView(state, question),
    /** Whether the policy asks for a passkey. */
    needs_passkey: needsPasskey(state, question),
    /** While it waits: when somebody decided it with a key that is not trusted here, which has no effect. */
    untrusted_decision_at: question.resolution === null ? untrustedDecision(state, question.id) : null,
    resolution: resolution?.how ?? null,
    answer:
      resolution?.how === 'answered'
        ? { text: resolution.answer?.text ?? null, choices: resolution.answer?.choices ?? [] }
        : null,
    /** Effect of the answer; null while unanswered. */
    effect,
    /** Of an approval: true if approved, false if refused or closed without an answer. Null for other questions. */
    approved: isApproved(question, effect),
    /** Set when a human lifted the refusal; `approved` and `effect` keep the original answer. */
    lifted,
    note: resolution?.note ?? null,
    answered_by: resolution?.by ?? null,
    /** `passkey`: verified by a PIN, a fingerprint or the like. Null if no human decided. */
    signed_with: signedWith(resolution),
    answered_at: resolution?.at ?? null,
    /** Ids of the other questions that the same act answered. */
    answered_with: resolution?.with ?? [],
    /** When the receiving agent was first offered the outcome, and when it continued with it. */
    offered_at,
    acknowledged_at,
    /** The agent that receives the outcome: the current owner of the work, else the author of the RFC or the asker. */
    recipient: recipientOf(state, question),
    /** The RFC whose open question this is; its author receives the outcome. */
    rfc: raised.rfc?.id ?? null,
    /** The earlier question whose answer no longer fits, and the agent's reason. */
    reopens: raised.reopens ?? null,
    reopen_reason: raised.reopenReason ?? null,
    /** How often the answer was reused; `reusesOf` lists by whom. */
    reuse_count,
    /** Set when a human excluded the answer from reuse. */
    revoked,
  };
}

function isApproved({ facts: { type }, resolution }: Question, effect: AnswerEffect | null): boolean | null {
  if (effect === null) return type === 'approval' && resolution !== null ? false : null;
  return effect !== 'proceed' ? false : type === 'approval' ? true : null;
}

/** Work affected by a question: everything it holds, or the item it was asked for. */
function reachOfQuestion(question: Question, reachOf: (holder: Holder) => Reach): Reach {
  if (isHolding(question)) return reachOf(question);
  const direct = [...(question.work === null ? [] : [question.work]), ...question.alsoWork];
  return { direct, dependants: [], open: direct };
}

function namedWork(state: State, id: string): NamedWork {
  return { id, title: state.work.get(id)?.title ?? id };
}

export interface AskBackView extends ItemOf<ReturnType<typeof askBackViews>> {}

export function askBackViews({ askBacks }: Pick<Question, 'askBacks'>) {
  return askBacks.map(({ text, by, at, reply }: AskBack, index) => ({
    number: index + 1,
    text,
    asked_by: by,
    asked_at: at,
    /** Null until the agent has replied. */
    reply: reply?.text ?? null,
    replied_by: reply?.by ?? null,
    replied_at: reply?.at ?? null,
  }));
}

interface Asked {
  readonly id: string;
  readonly number: number;
}

/** Unanswered ones that this agent has not acknowledged, oldest first. */
export function undeliveredAskBacks({ rows, state }: View, agent: string): Asked[] {
  return undecidedQuestions(state)
    .filter((question) => openAskBack(question) !== null && recipientOf(state, question) === agent)
    .map(({ id, askBacks }) => ({ id, number: askBacks.length, at: askBacks.at(-1)?.at ?? '' }))
    .filter(({ id, number }) => deliveryOf(rows, 'ask_back', id, { number, agent })?.acknowledged_at == null)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** The brief that was left with a question; null without one. */
export function parkedView({ rows }: View, id: string) {
  const parked = recordsOf(rows, id, 'question.parked').at(-1);
  if (!parked) return null;
  const { doing, next, files, checkFirst = null } = parked.record.brief;
  return { by: parked.actor, at: parked.time, doing, next, files, check_first: checkFirst };
}
