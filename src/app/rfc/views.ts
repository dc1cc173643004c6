/** Views of RFCs for lists and forms: their records, with the fold's state and holds. */
import { shownAgent } from '../../core/kit/persons.ts';
import { cascade, reachesNothing } from '../../core/hold/cascade.ts';
import { fileScopes } from '../../core/hold/holds.ts';
import {
  approvalGaps,
  isHoldingRfc,
  isRfcWaiting,
  latestRevision,
  placeWords,
  sinceOf,
  textRevision,
  revisionStatus,
} from '../../core/rfc/rfc.ts';
import type { RfcContext, RejectionThen, ReviewStage, RfcStatus } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import { allFiles, type AllFiles } from '../../core/state/heldChanges.ts';
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
  type AlternativeView,
  type OpenQuestionView,
  type ReviewView,
  type RevisionView,
  type RfcDecisionView,
  type SectionView,
  type ThreadView,
} from './parts.ts';
import { AppError } from '../workspace/errors.ts';
import type { NamedWork } from '../question/views.ts';
import { needsPasskey } from '../../core/state/quorum.ts';
import { quorumView, type QuorumView } from '../workspace/quorums.ts';

/** One RFC as shown in lists. */
export interface RfcSummary {
  readonly id: string;
  readonly title: string;
  readonly status: RfcStatus;
  /** Status of the amendment. Until it is approved, the approved revision stays in force. */
  readonly amendment: 'draft' | 'under_review' | null;
  /** Status and amendment as text: "approved, with an amendment under review". */
  readonly place: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** The agent to which its author handed it over, or null. */
  readonly handed_to: string | null;
  /** The person or responsibility that it is for, or null. */
  readonly for: string | null;
  readonly proposed_at: string;
  readonly updated_at: string;
  /** When the revision that waits for a human was submitted; null if none waits. */
  readonly waiting_since: string | null;
  readonly time_waiting_ms: number;
  /** Number of the latest revision. */
  readonly revision: number;
  /** True while it blocks work: no human has approved, rejected or withdrawn it. */
  readonly holding: boolean;
  /** True while it waits for a human. */
  readonly waiting: boolean;
  readonly affected_workflows: readonly NamedWork[];
  readonly blocked_tasks: readonly NamedWork[];
  /** Dependants of those. */
  readonly cascade: readonly NamedWork[];
  /** Number of held work items that are not finished, dependants included. */
  readonly holds_work: number;
  readonly holds: readonly string[];
  /** Set while widened to every file of the workspace; `holds` then says so too. */
  readonly all_files: AllFiles | null;
  readonly last_decision: RfcDecisionView | null;
  /** The approved revision with its terms; it stays in force while an amendment waits, and after its rejection. */
  readonly approval: ApprovalView | null;
  /** Which people must decide it, and who has signed so far; null if any human can. */
  readonly quorum: QuorumView | null;
  /** Whether the policy asks for a passkey. */
  readonly needs_passkey: boolean;
  /** The AI reviewer's verdict on the latest revision, or null. It decides nothing. */
  readonly last_review: LastReview | null;
}

export interface LastReview extends ReviewView {
  /** Its unresolved comments on that revision. */
  readonly comments: readonly ThreadView[];
  /** The open questions it answered. */
  readonly answers: readonly OpenQuestionView[];
}

/** One RFC with all fields, including those for the review panel. */
export interface RfcView extends RfcSummary {
  readonly session: string | null;
  readonly contexts: readonly RfcContext[];
  readonly revisions: readonly RevisionView[];
  /**
   * The revision that title, sections, alternatives and questions come from: the latest, or the approved one if the
   * amendment after it was rejected.
   */
  readonly text_revision: number;
  readonly sections: readonly SectionView[];
  readonly alternatives: readonly AlternativeView[];
  readonly questions: readonly OpenQuestionView[];
  readonly threads: readonly ThreadView[];
  readonly review: { readonly stage: ReviewStage | null; readonly count: number; readonly loops: number };
  readonly reviews: readonly ReviewView[];
  readonly decisions: readonly RfcDecisionView[];
  /** What prevents an approval: numbers of blocking threads, of questions for a human, and of unanswered ones. */
  readonly missing: {
    readonly threads: readonly number[];
    readonly questions: readonly number[];
    /** A human can waive each of these with the approval. */
    readonly open: readonly number[];
  };
  readonly ended: {
    readonly how: 'rejected' | 'withdrawn';
    readonly then: RejectionThen;
    readonly reason: string;
    readonly by: string;
    readonly at: string;
  } | null;
}

export interface ApprovalView {
  readonly revision: number;
  readonly hash: string;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  /** Numbers of open questions that the approval left unanswered. */
  readonly waived: readonly number[];
  readonly by: string;
  readonly at: string;
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

function summary(view: View, rfc: Rfc): RfcSummary {
  const { state } = view;
  const holding = isHoldingRfc(rfc);
  const { dependants, open } = holding ? cascade(state, rfc) : reachesNothing;
  const waits = isRfcWaiting(rfc);
  const named = (id: string): NamedWork => ({ id, title: state.work.get(id)?.title ?? id });
  return {
    id: rfc.id,
    title: titleOf(view, rfc),
    status: rfc.status,
    amendment: rfc.amendment,
    place: placeWords(rfc),
    agent_id: rfc.asker.id,
    agent_name: shownAgent(state.agents.get(rfc.asker.id)?.label ?? rfc.asker.id, view.own),
    handed_to: rfc.keeper,
    for: rfc.for,
    proposed_at: rfc.proposedAt,
    updated_at: rfc.updatedAt,
    waiting_since: waits ? sinceOf(rfc) : null,
    time_waiting_ms: waits ? Math.max(0, Date.parse(view.now) - Date.parse(sinceOf(rfc))) : 0,
    revision: latestRevision(rfc).number,
    holding,
    waiting: isUnderReview(rfc),
    affected_workflows: rfc.workflows.map(named),
    blocked_tasks: rfc.tasks.map(named),
    cascade: dependants.map(named),
    holds_work: open.length,
    holds: fileScopes(state, rfc),
    all_files: allFiles(rfc),
    last_decision: decisionsOf(view, rfc.id).at(-1) ?? null,
    approval: approvalOf(rfc),
    quorum: quorumView(state, rfc),
    needs_passkey: needsPasskey(state, rfc),
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

/** Null for an unknown id. */
export function rfcView(view: View, id: string): RfcView | null {
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
    text_revision: shown,
    sections: sectionsOf(view, rfc, shown, document),
    alternatives: document.alternatives.map(alternativeView),
    questions: documentQuestions(view, inRevision(rfc, shown, document), document),
    threads: threadsOf(view, id),
    review: { stage: rfc.review.stage, count: rfc.review.count, loops: rfc.review.loops },
    reviews: reviewsOf(view, id),
    decisions: decisionsOf(view, id),
    missing: {
      threads: gaps.threads.map(({ number }) => number),
      questions: gaps.questions.map(({ number }) => number),
      open: gaps.open.map(({ number }) => number),
    },
    ended: ended && { how: ended.how, then: ended.then, reason: ended.reason, by: ended.by, at: ended.at },
  };
}

/** @throws AppError `not_found` */
export function requireRfcView(view: View, id: string): RfcView {
  const found = rfcView(view, id);
  if (!found) throw notFound(id);
  return found;
}

/** @throws AppError `not_found` */
export function requireRfc({ rfcs }: State, id: string): Rfc {
  const rfc = rfcs.get(id);
  if (!rfc) throw notFound(id);
  return rfc;
}

function notFound(id: string): AppError {
  return new AppError('not_found', `there is no ${id}`, { advice: (guide) => `${guide.name('list_rfcs')} lists all.` });
}

function approvalOf({ approval }: Rfc): ApprovalView | null {
  if (!approval) return null;
  const { keyid: _, waived = [], ...shown } = approval;
  return { ...shown, waived };
}
