/** Converts an RFC to the view model of its review. */
import * as l10n from '@vscode/l10n';
import { canDecide, shownRfcHash } from '../../app/rfc/decisions.ts';
import { documentOf, type RfcDecisionView } from '../../app/rfc/parts.ts';
import type { RfcView as AppRfc } from '../../app/rfc/views.ts';
import { isHoldingRfc, revisionStatus } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import { sectionsModel, type SectionsOptions } from './sections.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { changesModel, heldFiles, wideningHistory } from '../surface/heldFiles.ts';
import { passkeyOf, type SignerStanding } from '../surface/standing.ts';
import { importedModel, folderName, optionalField, signerOf } from '../surface/workspaceForms.ts';
import { peopleModel, unlistedWords } from '../surface/people.ts';
import { program } from '../kit/program.ts';
import type { History, Outcome, SnapshotHead, Token, UnavailableView, ViewOf } from '../kit/view.ts';
import type { ReviewNote } from '../../core/records/rfc.ts';
import type { RfcImage } from './images.ts';
import { deliveryOf } from '../../store/rows/read.ts';

// Whether the proposing agent has received the last decision on an RFC.

/** Undefined while undecided; null until the agent has acknowledged it. */
export function acknowledgedAt(view: View, id: string): string | null | undefined {
  const rfc = view.state.rfcs.get(id);
  if (!rfc || rfc.decisions === 0) return undefined;
  return deliveryOf(view.rows, 'decision', id, { number: rfc.decisions, agent: rfc.asker.id })?.acknowledged_at ?? null;
}

export type Reviewing = ViewOf<NonNullable<ReturnType<typeof reviewingModel>>>;

export type RfcView = ViewOf<ReturnType<typeof rfcModel>>;

export type Decided = ViewOf<NonNullable<ReturnType<typeof decidedModel>>>;

export interface RfcSnapshot extends SnapshotHead {
  limits: { text: number; name: number; lines: number; answer: number };
  view: RfcView | UnavailableView;
  kept?: string | undefined;
  outcome?: Outcome | undefined;
  /** A new value requests keyboard focus once. */
  focus?: Token | undefined;
  /** The image that was requested last. */
  image?: RfcImage | undefined;
}

export interface RfcModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly rfc: AppRfc;
  readonly stored: Rfc;
  readonly standing: SignerStanding;
  readonly render: string;
  /** Set when nothing can be decided here. */
  readonly locked: { why: string; enrol?: Token | undefined } | undefined;
  /** Why only a passkey decides it: a button opens its page in the browser. */
  readonly browser: { inBrowser?: string };
  readonly revision: number;
  readonly compared: number | undefined;
  readonly reviewed: number | undefined;
  /** Whether a language model is available. */
  readonly hasModel: boolean;
  readonly readQuestions: SectionsOptions['readQuestions'];
  readonly where: 'editor' | 'browser';
}

const namedAtMost = 50;

export function rfcModel(options: RfcModelOptions) {
  const { folders, folder, view, rfc, stored, standing, render, locked, revision, compared, reviewed } = options;
  const { hasModel, readQuestions } = options;
  const decided = decidedModel(view, folder, rfc);
  const unlisted = unlistedWords(view.state, stored, standing);
  const browser = rfc.waiting ? options.browser : {};
  const listed = unlisted === undefined && browser.inBrowser === undefined;
  const received = decided && acknowledgedAt(view, rfc.id);
  const unanswered = rfc.missing.questions.length + rfc.missing.open.length;
  return {
    type: 'rfc' as const,
    key: folders.keyOf(folder, rfc.id),
    shown: shownRfcHash(view.state, stored),
    render,
    id: rfc.id,
    ...folderName(folders, folder),
    title: documentOf(view, stored, revision).title,
    agent: rfc.agent_name,
    // A person or responsibility that should review it; everybody can.
    ...optionalField('for', rfc.for),
    proposedAt: rfc.proposed_at,
    ...importedModel(view, rfc.id),
    status: rfc.status,
    ...optionalField('reviewing', reviewingModel(rfc)),
    // Oldest first. Only the latest can be approved.
    revisions: rfc.revisions,
    revision,
    latest: rfc.revision,
    ...optionalField('reviewed', reviewed),
    ...optionalField('compared', compared),
    sections: sectionsModel({
      view,
      rfc: stored,
      ...{ revision, reviewed, compared, readQuestions },
      questions: rfc.questions,
      threads: rfc.threads,
    }),
    // The name with which the reader signs, and the person whose agents run here: their ids are shown without it.
    you: standing.kind === 'enrolled' ? standing.name : null,
    own: view.own,
    references: rfc.contexts,
    blocks: {
      work: [...rfc.affected_workflows, ...rfc.blocked_tasks],
      cascade: { count: rfc.cascade.length, named: rfc.cascade.slice(0, namedAtMost) },
      ...heldFiles(view, stored, standing),
    },
    ...changesModel({ folder, view, id: rfc.id, where: options.where, locked }),
    // Obstacles to an approval, over the whole RFC.
    missing: { threads: rfc.missing.threads.length, questions: unanswered },
    // What a human can do in its current status.
    may: {
      approve: listed && canDecide(stored, 'approve'),
      requestChanges: listed && canDecide(stored, 'request_changes'),
      reject: listed && canDecide(stored, 'reject'),
      withdraw: listed && canDecide(stored, 'withdraw'),
      holdAll: isHoldingRfc(stored) && stored.widened === null,
      holdNamed: isHoldingRfc(stored) && stored.widened !== null,
      comment: rfc.status !== 'rejected' && rfc.status !== 'withdrawn',
      answer: revisionStatus(stored) !== null,
      askReviewer: hasModel && revisionStatus(stored) !== null && !isReviewed(rfc),
    },
    ...optionalField('decided', decided),
    // With its terms. It stays in force while an amendment waits, and after its rejection.
    approval: rfc.approval,
    ...(received === undefined ? {} : { received: { agent: rfc.agent_name, ...optionalField('at', received) } }),
    ...(rfc.waiting || rfc.holding ? peopleModel(view.state, stored, standing) : {}),
    // Why this human's decision would not be valid; comments are.
    ...optionalField('unlisted', unlisted),
    ...browser,
    ...optionalField('locked', locked),
    answersAs: signerOf(standing),
    history: history(view, rfc),
  };
}

/** The AI reviewer's last answered call, or why there was none. */
function reviewingModel({ review, reviews }: AppRfc) {
  const last = reviews.at(-1);
  if (review.stage === null && !last) return undefined;
  return {
    stage: review.stage ?? 'awaiting_human',
    ...(review.count > 0 ? { round: review.count, rounds: Math.max(review.count, program().reviewsAtMost) } : {}),
    ...(last
      ? {
          at: last.at,
          ...optionalField('model', last.model),
          ...optionalField('verdict', last.verdict),
          ...optionalField('summary', last.summary),
          ...optionalField('note', last.note && noteWords(last.note)),
        }
      : {}),
  };
}

/** Whether a model has read and answered the latest revision. */
function isReviewed({ reviews, revision }: AppRfc): boolean {
  return reviews.some((one) => one.revision === revision && one.note === null);
}

/** The last decision, unless something was written after it. */
function decidedModel(view: View, { workspace }: OpenFolder, { last_decision: last, revisions, waiting }: AppRfc) {
  const latest = revisions.at(-1);
  if (!last || (latest !== undefined && latest.at > last.at) || waiting) return undefined;
  const { keyid, signed_with } = last;
  // The passkey that signed it, as its human calls it.
  const signed = signed_with === 'passkey' ? passkeyOf(view.state, workspace, { keyid, passkey: true }) : {};
  return { ...last, ...signed };
}

function history(view: View, rfc: AppRfc): History {
  const revisions = rfc.revisions.map(({ number, at, author }) => ({
    at,
    text: number === 1 ? l10n.t('{0} proposed it', author) : l10n.t('Revision {0} by {1}', number, author),
  }));
  const decisions = rfc.decisions.map((one) => ({ at: one.at, text: decisionWords(one) }));
  return [...revisions, ...decisions, ...wideningHistory(view, rfc.id)].sort((a, b) => a.at.localeCompare(b.at));
}

export function decisionWords({ action, by, revision, amendment }: RfcDecisionView): string {
  switch (action) {
    case 'approved':
      return l10n.t('{0} approved revision {1}', by, revision ?? '');
    case 'changes_requested':
      return l10n.t('{0} requested changes', by);
    case 'rejected':
      return amendment ? l10n.t('{0} rejected the amendment', by) : l10n.t('{0} rejected it', by);
    case 'withdrawn':
      return l10n.t('{0} withdrew it', by);
  }
}

/** Why the reviewer's loop ended early. */
export function noteWords(note: ReviewNote): string {
  switch (note) {
    case 'no_model':
      return l10n.t('No model available. Please answer the open questions.');
    case 'not_allowed':
      return l10n.t('The language model is not allowed here. Please answer the open questions.');
    case 'failed':
      return l10n.t('The language model could not answer. Please answer the open questions.');
    case 'timed_out':
      return l10n.t('The language model took too long. Please answer the open questions.');
    case 'malformed':
      return l10n.t('The language model gave an unreadable reply twice. Please answer the open questions.');
    case 'budget_spent':
      return l10n.t('The language model reached its call limit. Please answer the open questions.');
  }
}
