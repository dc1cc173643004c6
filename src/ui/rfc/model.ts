/** Converts an RFC to the view model of its review. */
import * as l10n from '@vscode/l10n';
import { canDecide, shownRfcHash } from '../../app/rfc/decisions.ts';
import { documentOf, type RfcDecisionView, type OpenQuestionView, type ThreadView } from '../../app/rfc/parts.ts';
import type { RfcView as AppRfc } from '../../app/rfc/views.ts';
import { isHoldingRfc, revisionStatus } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { changesModel, heldFiles, wideningHistory } from '../surface/heldFiles.ts';
import { passkeyOf, type SignerStanding, peopleModel, unlistedWords } from '../surface/standing.ts';
import { importedModel, folderName, optionalField, signerOf } from '../surface/workspaceForms.ts';
import { program } from '../kit/program.ts';
import type { History, Outcome, SnapshotHead, Token, UnavailableView, ViewOf } from '../kit/view.ts';
import type { ReviewNote, Anchor, RfcDocument, RfcSection } from '../../core/records/rfc.ts';
import { deliveryOf } from '../../store/rows/read.ts';
import { raisedOf } from '../../core/state/state.ts';
import { withAlternatives } from '../../core/rfc/document.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { sameTextKey } from '../../core/kit/text.ts';
import type { writtenQuestions } from '../../core/rfc/lists.ts';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';

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

/** An image of the workspace that a human asked to see in a review: as data, or why there is none. */
export interface RfcImage {
  path: string;
  data?: string | undefined;
  problem?: string | undefined;
}

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

// The document of an RFC for its review: sections, changes in each, questions and threads.

/** A comment and its replies. Stored outside the document, so a new revision cannot change or remove it. */
export interface Thread extends ThreadView {
  /** Its section has changed since the revision that it was written about. */
  readonly outdated: boolean;
}

/** An answer that the author offers. */
export interface OfferedChoice {
  readonly label: string;
  readonly description?: string | undefined;
  readonly recommended?: boolean | undefined;
}

export interface OpenQuestion extends OpenQuestionView {
  readonly choices: readonly OfferedChoice[];
  /** Markdown: what its author says to it. */
  readonly more: string;
}

/** A section of the document. Texts are Markdown. */
export interface Section {
  /** Identifies the section: the same in every revision that has it. */
  id: Token;
  title: string;
  /** Absent if the section only has comments. */
  text?: string | undefined;
  questions: readonly OpenQuestion[];
  threads: readonly Thread[];
  /** Compared with the reader's last review; `gone` means that this revision no longer has it. */
  change: 'none' | 'changed' | 'new' | 'gone';
  /** Present while a comparison is shown and this section differs. */
  difference?: readonly DifferenceRow[] | undefined;
}

/** Place of comments without a section, or on a section that this revision lacks. */
const whole = 'whole';

/** One part of a document: its title, its text, and its lines for comparison. */
interface Part {
  readonly id: string;
  readonly anchor: NonNullable<Anchor>;
  readonly text: string;
  readonly source: string;
}

export interface SectionsOptions {
  readonly view: View;
  readonly rfc: Rfc;
  readonly revision: number;
  /** The revision of the reader's last review. */
  readonly reviewed: number | undefined;
  readonly compared: number | undefined;
  readonly questions: readonly OpenQuestionView[];
  readonly threads: readonly ThreadView[];
  readonly readQuestions: typeof writtenQuestions;
}

export function sectionsModel(options: SectionsOptions): Section[] {
  const { view, rfc, revision, reviewed, compared, threads, questions } = options;
  const documents = new Map<number, readonly Part[]>();
  const partsOf = (number: number): readonly Part[] => {
    const known = documents.get(number) ?? parts(documentOf(view, rfc, number));
    documents.set(number, known);
    return known;
  };
  const shown = partsOf(revision);
  const before = reviewed === undefined || reviewed >= revision ? null : partsOf(reviewed);
  const other = compared === undefined ? null : partsOf(compared);
  const document = documentOf(view, rfc, revision);
  const isOutdated = ({ section, revision: then }: ThreadView): boolean =>
    section !== null && then < revision && sourceIn(partsOf(then), section) !== sourceIn(shown, section);
  const threadsAt = (id: string): Thread[] =>
    threads
      .filter(({ section }) => (partAt(shown, section)?.id ?? whole) === id)
      .map((one) => ({ ...one, outdated: isOutdated(one) }));

  const known = new Set(questions.map(({ text }) => sameTextKey(text)));
  const present = shown.map((part): Section => {
    // Each question has its own box, so the text does not repeat it.
    const asks = part.anchor.key === 'unresolved_questions' ? options.readQuestions(part.text, known) : undefined;
    const rows = other === null ? [] : difference(sourceIn(other, part.anchor), part.source);
    const asked = (one: OpenQuestionView): OpenQuestion => {
      const { choices } = document.questions.find(({ text }) => text === one.text) ?? {};
      const written = asks?.byText.get(sameTextKey(one.text));
      // Earlier documents have no choices: their lists are text.
      const more = (choices ? written?.more : written?.all) ?? '';
      return { ...one, more, choices: raisedChoices(view, one) ?? choices ?? [] };
    };
    return {
      id: part.id,
      title: part.anchor.heading,
      text: asks?.rest ?? part.text,
      questions: asks ? questions.map(asked) : [],
      threads: threadsAt(part.id),
      change: before === null ? 'none' : changeOf(partAt(before, part.anchor), part),
      ...(rows.length === 0 ? {} : { difference: rows }),
    };
  });
  const gone = (other ?? []).filter(({ anchor }) => !partAt(shown, anchor));
  const none = { questions: [], threads: [] };
  return [
    ...present,
    ...gone.map(({ id, anchor, source }): Section => {
      const rows = difference(source, '');
      return { ...none, id: `gone:${id}`, title: anchor.heading, text: '', change: 'gone', difference: rows };
    }),
    { ...none, id: whole, title: l10n.t('The RFC as a whole'), threads: threadsAt(whole), change: 'none' },
  ];
}

/** Of the question that a human was asked: agents may have changed the document since. Null until it is raised. */
function raisedChoices({ state }: View, { human }: OpenQuestionView): readonly OfferedChoice[] | null {
  const question = state.questions.get(human?.question_id ?? '');
  return question ? raisedOf(state, question).choices : null;
}

/**
 * The anchor of a comment at a place of a revision. Null: the whole revision.
 * @throws AppError `not_found` for an unknown place
 */
export function anchorOf(view: View, rfc: Rfc, revision: number, id: string): Anchor {
  if (id === whole) return null;
  const found = parts(documentOf(view, rfc, revision)).find((part) => part.id === id);
  if (!found) throw new AppError('not_found', l10n.t('This section no longer exists.'));
  return found.anchor;
}

/** Alternatives and open questions appear at their headings; without a heading they get their own place. */
function parts({ sections, alternatives, questions }: RfcDocument): Part[] {
  const has = (key: RfcSection['key']) => sections.some((section) => section.key === key);
  const all: RfcSection[] = [...sections];
  if (alternatives.length > 0 && !has('alternatives'))
    all.push({ key: 'alternatives', heading: l10n.t('Alternatives'), text: '' });
  if (questions.length > 0 && !has('unresolved_questions'))
    all.push({ key: 'unresolved_questions', heading: l10n.t('Open questions'), text: '' });
  const ids = new Set<string>();
  return all.map(({ key, heading, text: own }) => {
    const text = key === 'alternatives' ? withAlternatives(own, alternatives) : own;
    const lines = [
      text,
      ...(key === 'unresolved_questions' ? questions.map((one) => `- [${one.answered ? 'x' : ' '}] ${one.text}`) : []),
    ];
    return {
      id: uniqueId(ids, key === 'other' ? `other:${heading}`.slice(0, 180) : key),
      anchor: { key, heading },
      text,
      source: lines.filter((line) => line !== '').join('\n'),
    };
  });
}

/** Makes ids unique, because two headings may be equal. */
function uniqueId(ids: Set<string>, id: string): string {
  let free = id;
  for (let number = 2; ids.has(free); number++) free = `${id}#${String(number)}`;
  ids.add(free);
  return free;
}

/** Sections match by key, whatever their title; the author's own sections match by heading. */
function partAt(all: readonly Part[], section: Anchor): Part | undefined {
  return all.find(
    ({ anchor: { key, heading } }) => key === section?.key && (key !== 'other' || heading === section.heading),
  );
}

function sourceIn(all: readonly Part[], section: Anchor): string {
  return partAt(all, section)?.source ?? '';
}

function changeOf(former: Part | undefined, part: Part): Section['change'] {
  if (!former) return 'new';
  return former.source === part.source ? 'none' : 'changed';
}
