/** Views of RFCs for lists and forms: their records, with the fold's state and holds. */
import { shownAgent } from '../../core/kit/persons.ts';
import { cascade, fileScopes, reachesNothing } from '../../core/hold/holds.ts';
import {
  approvalGaps,
  isHoldingRfc,
  isRfcWaiting,
  latestRevision,
  placeWords,
  sinceOf,
  textRevision,
  revisionStatus,
  recipientsOf,
} from '../../core/rfc/rfc.ts';
import type { RfcStatus } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import type { View } from '../../store/store.ts';
import {
  alternativeView,
  decisionsOf,
  documentOf,
  documentQuestions,
  inRevision,
  reviewsOf,
  revisionsOf,
  sectionsOf,
  threadsOf,
  type OpenQuestionView,
  type ReviewView,
  type ThreadView,
} from './parts.ts';
import { AppError } from '../workspace/errors.ts';
import type { NamedWork } from '../question/views.ts';
import { needsPasskey, quorumView } from '../../core/state/quorum.ts';
import { type Delivery, deliveryOf } from '../../store/rows/read.ts';

export interface LastReview extends ReviewView {
  /** Its unresolved comments on that revision. */
  readonly comments: readonly ThreadView[];
  /** The open questions it answered. */
  readonly answers: readonly OpenQuestionView[];
}

export interface RfcFilter {
  readonly status?: RfcStatus | undefined;
  readonly agent?: string | undefined;
  /** Only those that name this work item. */
  readonly work?: string | undefined;
  /** Only those waiting for a human. */
  readonly waiting?: boolean | undefined;
}

/** Newest first, with the rows of each. */
export function listRfcs(view: View, filter: RfcFilter = {}): RfcSummary[] {
  return rfcSummaries(view, rfcsOf(view.state, filter));
}

/** Newest first, from the fold alone. */
export function rfcsOf(state: State, filter: RfcFilter): Rfc[] {
  return [...state.rfcs.values()]
    .filter(
      (rfc) =>
        (filter.status === undefined || rfc.status === filter.status) &&
        (filter.agent === undefined || rfc.asker.id === filter.agent) &&
        (filter.work === undefined || rfc.workflows.includes(filter.work) || rfc.tasks.includes(filter.work)) &&
        (!filter.waiting || isRfcWaiting(rfc)),
    )
    .reverse();
}

/** RFCs waiting for a human: most held work first, then oldest. */
export function waitingRfcs(view: View): RfcSummary[] {
  return listRfcs(view, { waiting: true }).sort(
    (a, b) => b.holds_work - a.holds_work || waitedFrom(a).localeCompare(waitedFrom(b)),
  );
}

/** For the order among waiting items. */
export function waitedFrom({ waiting_since: since, proposed_at: proposed }: RfcSummary): string {
  return since ?? proposed;
}

/** RFCs with recent human decisions, newest first. */
export function recentlyDecidedRfcs(view: View, atMost: number): RfcSummary[] {
  const decided = new Map(
    view.rows
      .all<{ id: string; at: string }>(
        `SELECT subject AS id, max(time) AS at FROM records
          WHERE kind IN ('rfc.approved', 'rfc.changesRequested', 'rfc.rejected', 'rfc.withdrawn') AND kept = 0
          GROUP BY subject`,
      )
      .map(({ id, at }) => [id, at]),
  );
  const atOf = ({ id }: Rfc) => decided.get(id) ?? '';
  // A rejection that needs more people is still listed as waiting.
  const isListed = (rfc: Rfc) => !isUnderReview(rfc) && !(isHoldingRfc(rfc) && rfc.status === 'rejected');
  const latest = rfcsOf(view.state, {}).filter((rfc) => decided.has(rfc.id) && isListed(rfc));
  return rfcSummaries(view, latest.sort((a, b) => atOf(b).localeCompare(atOf(a))).slice(0, atMost));
}

export function isUnderReview(rfc: Rfc): boolean {
  return revisionStatus(rfc) === 'under_review';
}

export function rfcSummaries(view: View, rfcs: readonly Rfc[]): RfcSummary[] {
  return rfcs.map((rfc) => summary(view, rfc));
}

export function rfcSummary(view: View, id: string): RfcSummary | null {
  const rfc = view.state.rfcs.get(id);
  return rfc ? summary(view, rfc) : null;
}

/** One RFC as shown in lists. */
export interface RfcSummary extends ReturnType<typeof summary> {}

function summary(view: View, rfc: Rfc) {
  const { state } = view;
  const holding = isHoldingRfc(rfc);
  const { dependants, open } = holding ? cascade(state, rfc) : reachesNothing;
  const waits = isRfcWaiting(rfc);
  const named = (id: string): NamedWork => ({ id, title: state.work.get(id)?.title ?? id });
  return {
    id: rfc.id,
    title: titleOf(view, rfc),
    status: rfc.status,
    /** Status of the amendment. Until it is approved, the approved revision stays in force. */
    amendment: rfc.amendment,
    /** Status and amendment as text: "approved, with an amendment under review". */
    place: placeWords(rfc),
    agent_id: rfc.asker.id,
    agent_name: shownAgent(state.agents.get(rfc.asker.id)?.label ?? rfc.asker.id, view.own),
    /** The agent to which its author handed it over, or null. */
    handed_to: rfc.keeper,
    /** The person or responsibility that it is for, or null. */
    for: rfc.for,
    proposed_at: rfc.proposedAt,
    updated_at: rfc.updatedAt,
    /** When the revision that waits for a human was submitted; null if none waits. */
    waiting_since: waits ? sinceOf(rfc) : null,
    time_waiting_ms: waits ? Math.max(0, Date.parse(view.now) - Date.parse(sinceOf(rfc))) : 0,
    /** Number of the latest revision. */
    revision: latestRevision(rfc).number,
    /** True while it blocks work: no human has approved, rejected or withdrawn it. */
    holding,
    /** True while it waits for a human. */
    waiting: isUnderReview(rfc),
    affected_workflows: rfc.workflows.map(named),
    blocked_tasks: rfc.tasks.map(named),
    /** Dependants of those. */
    cascade: dependants.map(named),
    /** Number of held work items that are not finished, dependants included. */
    holds_work: open.length,
    holds: fileScopes(state, rfc),
    /** Set while widened to every file of the workspace; `holds` then says so too. */
    all_files: allFiles(rfc),
    last_decision: decisionsOf(view, rfc.id).at(-1) ?? null,
    /** The approved revision with its terms; it stays in force while an amendment waits, and after its rejection. */
    approval: approvalOf(rfc),
    /** Which people must decide it, and who has signed so far; null if any human can. */
    quorum: quorumView(state, rfc),
    /** Whether the policy asks for a passkey. */
    needs_passkey: needsPasskey(state, rfc),
    /** The AI reviewer's verdict on the latest revision, or null. It decides nothing. */
    last_review: lastReview(view, rfc),
  };
}

/** The state has the title of the latest revision only, which may be that of a rejected amendment. */
function titleOf(view: View, rfc: Rfc): string {
  const number = textRevision(rfc);
  return number === latestRevision(rfc).number ? rfc.title : documentOf(view, rfc, number).title;
}

function lastReview(view: View, rfc: Rfc): LastReview | null {
  if (rfc.review.count === 0) return null;
  const { number } = latestRevision(rfc);
  const last = reviewsOf(view, rfc.id).at(-1);
  if (last?.verdict == null || last.stage === 'questions_pending' || last.revision !== number) return null;
  const comments = threadsOf(view, rfc.id).filter(
    ({ by_kind, revision, resolved }) => by_kind === 'reviewer' && revision === number && resolved === null,
  );
  const answers = documentQuestions(view, rfc, documentOf(view, rfc, number)).filter(
    ({ state }) => state === 'ai_answered',
  );
  return { ...last, comments, answers };
}

/** One RFC with all fields, including those for the review panel. */
export interface RfcView extends NonNullable<ReturnType<typeof rfcView>> {}

export function rfcView(view: View, id: string) {
  const rfc = view.state.rfcs.get(id);
  if (!rfc) return null;
  const { ended } = rfc;
  const shown = textRevision(rfc);
  const document = documentOf(view, rfc, shown);
  const gaps = approvalGaps(view.state, rfc);
  return {
    ...summary(view, rfc),
    session: rfc.asker.session ?? null,
    contexts: rfc.contexts,
    revisions: revisionsOf(view, rfc),
    /**
     * The revision that title, sections, alternatives and questions come from: the latest, or the approved one if the
     * amendment after it was rejected.
     */
    text_revision: shown,
    sections: sectionsOf(view, rfc, shown, document),
    alternatives: document.alternatives.map(alternativeView),
    questions: documentQuestions(view, inRevision(rfc, shown, document), document),
    threads: threadsOf(view, id),
    review: { stage: rfc.review.stage, count: rfc.review.count, loops: rfc.review.loops },
    reviews: reviewsOf(view, id),
    decisions: decisionsOf(view, id),
    /** What prevents an approval: numbers of blocking threads, of questions for a human, and of unanswered ones. */
    missing: {
      threads: gaps.threads.map(({ number }) => number),
      questions: gaps.questions.map(({ number }) => number),
      /** A human can waive each of these with the approval. */
      open: gaps.open.map(({ number }) => number),
    },
    ended: ended && { how: ended.how, then: ended.then, reason: ended.reason, by: ended.by, at: ended.at },
  };
}

export function requireRfcView(view: View, id: string): RfcView {
  const found = rfcView(view, id);
  if (!found) throw notFound(id);
  return found;
}

export function requireRfc({ rfcs }: State, id: string): Rfc {
  const rfc = rfcs.get(id);
  if (!rfc) throw notFound(id);
  return rfc;
}

function notFound(id: string): AppError {
  return new AppError('not_found', `there is no ${id}`, { advice: (guide) => `${guide.name('list_rfcs')} lists all.` });
}

export interface ApprovalView extends NonNullable<ReturnType<typeof approvalOf>> {}

function approvalOf({ approval }: Rfc) {
  if (!approval) return null;
  const { keyid: _, waived = [], ...shown } = approval;
  return {
    ...shown,
    /** Numbers of open questions that the approval left unanswered. */
    waived,
  };
}

/** RFCs whose last decision or review this agent has not acknowledged, oldest first. */
export function undeliveredRfcs(view: View, agent: string): RfcSummary[] {
  const news = [...undeliveredDecisions(view, agent), ...undeliveredReviews(view, agent)];
  const ids = new Set(news.sort((a, b) => a.at.localeCompare(b.at)).map(({ id }) => id));
  return [...ids].map((id) => rfcSummary(view, id)).filter((rfc) => rfc !== null);
}

function undeliveredDecisions(view: View, agent: string): { readonly id: string; readonly at: string }[] {
  return [...view.state.rfcs.values()]
    .filter((rfc) => rfc.decisions > 0 && recipientsOf(view.state, rfc).has(agent))
    .filter(
      ({ id, decisions: number }) => deliveryOf(view.rows, 'decision', id, { number, agent })?.acknowledged_at == null,
    )
    .map(({ id }) => ({ id, at: decisionsOf(view, id).at(-1)?.at ?? '' }));
}

interface Reviewed {
  readonly id: string;
  readonly number: number;
  readonly at: string;
  readonly delivery: Delivery | undefined;
}

/** Reviews that this agent has not acknowledged, oldest first. */
export function undeliveredReviews(view: View, agent: string): Reviewed[] {
  return [...view.state.rfcs.values()]
    .filter((rfc) => (rfc.keeper ?? rfc.asker.id) === agent)
    .flatMap((rfc) => reviewToDeliver(view, rfc, agent) ?? [])
    .filter(({ delivery }) => delivery?.acknowledged_at == null)
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** A verdict ends a review; without one, the review went to a human and is not delivered to the author. */
function reviewToDeliver(view: View, rfc: Rfc, agent: string): Reviewed | null {
  const { id, status, amendment, review } = rfc;
  if (review.count === 0 || (status !== 'draft' && status !== 'under_review' && amendment === null)) return null;
  const last = reviewsOf(view, id).find(({ number }) => number === review.count);
  if (last?.verdict == null || last.stage === 'questions_pending') return null;
  if (last.revision !== latestRevision(rfc).number) return null;
  const { number, at } = last;
  return { id, number, at, delivery: deliveryOf(view.rows, 'review', id, { number, agent }) };
}
