/** The parts of an RFC, from rows of the projection. */
import { latestRevision, questionState } from '../../core/rfc/rfc.ts';
import type { Alternative, RfcDocument, RfcSection } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type {
  FeedbackType,
  OpenQuestionState,
  ReviewNote,
  ReviewStage,
  ReviewVerdict,
  SectionKey,
} from '../../core/records/rfcWords.ts';
import type { State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { SignedWith } from '../workspace/signedWith.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { sameTextKey } from '../../core/kit/text.ts';

export interface RevisionView {
  readonly number: number;
  readonly hash: string;
  readonly author: string;
  readonly at: string;
  readonly note: string | null;
}

/** A design that was considered and not taken. */
export interface AlternativeView {
  readonly name: string;
  readonly description?: string;
  readonly pros: readonly string[];
  readonly cons: readonly string[];
  readonly effort_estimate?: string;
}

/** What one revision says, in the names of the JSON output. */
export interface DocumentView {
  readonly title: string;
  readonly sections: readonly RfcSection[];
  readonly alternatives: readonly AlternativeView[];
  readonly questions: readonly {
    readonly text: string;
    readonly answered: boolean;
    readonly answer?: string;
    /** Its author wants a human's answer. */
    readonly human_required?: true;
  }[];
}

export interface SectionView extends RfcSection {
  /** Hash of heading and text, to detect later changes. */
  readonly hash: string;
  /** The latest revision that changed it, up to the one shown. */
  readonly changed_in: number;
}

export interface OpenQuestionView {
  readonly number: number;
  readonly text: string;
  readonly state: OpenQuestionState;
  /** Whether the revision shown still asks it. */
  readonly in_document: boolean;
  readonly author_answer: string | null;
  /** The reviewer's answer, unless rejected. Not signed by a human. */
  readonly ai_answer: AiAnswerView | null;
  /** The question that a human sees, and what a human said to it. */
  readonly human: {
    readonly question_id: string;
    readonly answer: string | null;
    readonly by: string | null;
    readonly at: string | null;
  } | null;
}

export interface AiAnswerView {
  readonly answer: string;
  readonly evidence: readonly string[];
  readonly confidence: string | null;
  readonly model: string | null;
  readonly prompt: string | null;
  readonly at: string;
}

export interface ThreadView {
  readonly number: number;
  readonly revision: number;
  readonly type: FeedbackType;
  readonly section: { readonly key: SectionKey; readonly heading: string } | null;
  readonly quote: string | null;
  readonly text: string;
  readonly blocking: boolean;
  readonly by: string;
  readonly by_kind: string;
  /** True if a human's signature proves the author; otherwise the name is unverified. */
  readonly signed: boolean;
  readonly at: string;
  readonly resolved: { readonly by: string; readonly at: string } | null;
  readonly replies: readonly {
    readonly number: number;
    readonly text: string;
    readonly by: string;
    readonly by_kind: string;
    readonly signed: boolean;
    readonly at: string;
  }[];
}

export interface ReviewView {
  readonly number: number;
  readonly revision: number;
  readonly model: string | null;
  readonly prompt: string | null;
  readonly follow_up: boolean;
  readonly verdict: ReviewVerdict | null;
  readonly stage: ReviewStage;
  readonly summary: string | null;
  /** Why the loop ended early, if it did. */
  readonly note: ReviewNote | null;
  readonly at: string;
}

export interface RfcDecisionView {
  readonly number: number;
  readonly action: 'approved' | 'changes_requested' | 'rejected' | 'withdrawn';
  readonly revision: number | null;
  /** Whether an earlier revision was approved before: then only the amendment was decided. */
  readonly amendment: boolean;
  readonly reason: string | null;
  readonly then: string | null;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  /** Numbers of open questions that the approval left unanswered. */
  readonly waived: readonly number[];
  readonly by: string;
  readonly at: string;
  /** Of the key that signed it. */
  readonly keyid: string;
  /** `passkey`: verified by a PIN, a fingerprint or the like. */
  readonly signed_with: SignedWith;
}

/**
 * The content of one revision.
 * @throws Error for an unknown number
 */
export function documentOf(view: View, rfc: Rfc, number: number): RfcDocument {
  const row = view.rows.first(
    view.rows.query.selectFrom('rfc_revisions').selectAll().where('rfc_id', '=', rfc.id).where('number', '=', number),
  );
  if (!row) throw new Error(`${rfc.id} has no revision ${String(number)}`);
  const alternatives = view.rows.all(
    view.rows.query
      .selectFrom('rfc_alternatives')
      .selectAll()
      .where('rfc_id', '=', rfc.id)
      .where('revision', '=', number)
      .orderBy('position'),
  );
  return {
    title: row.title,
    sections: JSON.parse(row.sections) as RfcSection[],
    questions: JSON.parse(row.questions) as RfcDocument['questions'],
    alternatives: alternatives.map(({ name, description, pros, cons, effort_estimate }) => ({
      name,
      ...(description === null ? {} : { description }),
      pros: JSON.parse(pros) as string[],
      cons: JSON.parse(cons) as string[],
      ...(effort_estimate === null ? {} : { effortEstimate: effort_estimate }),
    })),
  };
}

export function documentView({ title, sections, alternatives, questions }: RfcDocument): DocumentView {
  return {
    title,
    sections,
    alternatives: alternatives.map(alternativeView),
    questions: questions.map(({ text, answered, answer, humanRequired }) => ({
      text,
      answered,
      ...(answer === undefined ? {} : { answer }),
      ...(humanRequired === undefined ? {} : { human_required: humanRequired }),
    })),
  };
}

export function alternativeView({ name, description, pros, cons, effortEstimate }: Alternative): AlternativeView {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    pros,
    cons,
    ...(effortEstimate === undefined ? {} : { effort_estimate: effortEstimate }),
  };
}

export function revisionsOf(view: View, rfc: Rfc): RevisionView[] {
  return view.rows
    .all(
      view.rows.query
        .selectFrom('rfc_revisions')
        .select(['number', 'hash', 'author', 'revised_at', 'note'])
        .where('rfc_id', '=', rfc.id)
        .orderBy('number'),
    )
    .map(({ number, hash, author, revised_at, note }) => ({ number, hash, author, at: revised_at, note }));
}

export function sectionsOf(view: View, rfc: Rfc, shown: number, document: RfcDocument): SectionView[] {
  const former = view.rows.all(
    view.rows.query
      .selectFrom('rfc_revisions')
      .select(['number', 'sections'])
      .where('rfc_id', '=', rfc.id)
      .where('number', '<=', shown)
      .orderBy('number', 'desc'),
  );
  const byRevision = former.map(({ number, sections }) => ({
    number,
    hashes: new Set((JSON.parse(sections) as RfcSection[]).map(sectionHash)),
  }));
  return document.sections.map((section) => {
    const hash = sectionHash(section);
    let changed_in = shown;
    for (const { number, hashes } of byRevision) {
      if (!hashes.has(hash)) break;
      changed_in = number;
    }
    return { ...section, hash, changed_in };
  });
}

function sectionHash({ key, heading, text }: RfcSection): string {
  return hashOf([key, heading, text]);
}

/** The RFC with its questions as a revision asks them; the state has them as the latest one does. */
export function inRevision(rfc: Rfc, number: number, document: RfcDocument): Rfc {
  if (number === latestRevision(rfc).number) return rfc;
  const asked = new Map(document.questions.map((question) => [sameTextKey(question.text), question]));
  const questions = rfc.questions.map((question) => {
    const then = asked.get(sameTextKey(question.text));
    return { ...question, inDocument: then !== undefined, checked: then?.answered ?? false };
  });
  return { ...rfc, questions };
}

export function documentQuestions(view: View, rfc: Rfc, document: RfcDocument): OpenQuestionView[] {
  return rfc.questions
    .map((question): OpenQuestionView => {
      const state = questionState(view.state, question);
      return {
        number: question.number,
        text: question.text,
        state,
        in_document: question.inDocument,
        author_answer: document.questions.find(({ text }) => text === question.text)?.answer ?? null,
        ai_answer: question.answeredIn === null ? null : aiAnswer(view, rfc.id, question.answeredIn, question.number),
        human: humanAnswer(view.state, question.asked),
      };
    })
    .filter(({ in_document, human, state }) => in_document || human !== null || state === 'human_required');
}

function aiAnswer(view: View, id: string, review: number, question: number): AiAnswerView | null {
  const row = view.rows.first(
    view.rows.query
      .selectFrom('rfc_answers')
      .innerJoin('rfc_reviews', (join) =>
        join
          .onRef('rfc_reviews.rfc_id', '=', 'rfc_answers.rfc_id')
          .onRef('rfc_reviews.number', '=', 'rfc_answers.review'),
      )
      .selectAll('rfc_answers')
      .select(['rfc_reviews.model', 'rfc_reviews.prompt_name', 'rfc_reviews.prompt_version', 'rfc_reviews.reviewed_at'])
      .where('rfc_answers.rfc_id', '=', id)
      .where('rfc_answers.review', '=', review)
      .where('rfc_answers.question', '=', question),
  );
  return (
    (row && {
      answer: row.answer ?? '',
      evidence: JSON.parse(row.evidence) as string[],
      confidence: row.confidence,
      model: row.model,
      prompt: promptOf(row),
      at: row.reviewed_at,
    }) ??
    null
  );
}

function promptOf(row: { readonly prompt_name: string | null; readonly prompt_version: string | null }): string | null {
  return row.prompt_name === null ? null : `${row.prompt_name} ${row.prompt_version ?? ''}`.trim();
}

function humanAnswer(state: State, id: string | null): OpenQuestionView['human'] {
  const question = state.questions.get(id ?? '');
  if (!question) return null;
  const { resolution } = question;
  return {
    question_id: question.id,
    answer: resolution ? (resolution.answer ? answerLine(resolution.answer) : resolution.note) : null,
    by: resolution?.by ?? null,
    at: resolution?.at ?? null,
  };
}

export function threadsOf(view: View, id: string): ThreadView[] {
  const replies = view.rows.all(
    view.rows.query.selectFrom('rfc_replies').selectAll().where('rfc_id', '=', id).orderBy('thread').orderBy('number'),
  );
  return view.rows
    .all(view.rows.query.selectFrom('rfc_feedback').selectAll().where('rfc_id', '=', id).orderBy('thread'))
    .map((row) => ({
      number: row.thread,
      revision: row.revision,
      type: row.feedback_type,
      section:
        row.section_key === null ? null : { key: row.section_key as SectionKey, heading: row.section_heading ?? '' },
      quote: row.quote,
      text: row.content,
      blocking: row.blocking === 1,
      by: row.reviewer,
      by_kind: row.reviewer_kind,
      signed: row.signed === 1,
      at: row.given_at,
      resolved: row.resolved_at === null ? null : { by: row.resolved_by ?? '', at: row.resolved_at },
      replies: replies
        .filter(({ thread }) => thread === row.thread)
        .map((reply) => ({
          number: reply.number,
          text: reply.content,
          by: reply.author,
          by_kind: reply.author_kind,
          signed: reply.signed === 1,
          at: reply.replied_at,
        })),
    }));
}

export function reviewsOf(view: View, id: string): ReviewView[] {
  return view.rows
    .all(view.rows.query.selectFrom('rfc_reviews').selectAll().where('rfc_id', '=', id).orderBy('number'))
    .map((row) => ({
      number: row.number,
      revision: row.revision,
      model: row.model,
      prompt: promptOf(row),
      follow_up: row.follow_up === 1,
      verdict: row.verdict,
      stage: row.stage,
      summary: row.summary,
      note: row.note,
      at: row.reviewed_at,
    }));
}

export function decisionsOf(view: View, id: string): RfcDecisionView[] {
  const rows = view.rows.all(
    view.rows.query.selectFrom('rfc_decisions').selectAll().where('rfc_id', '=', id).orderBy('number'),
  );
  const approved = rows.find(({ action }) => action === 'approved')?.number ?? Infinity;
  return rows.map((row) => ({
    number: row.number,
    action: row.action,
    revision: row.revision,
    amendment: row.number > approved,
    reason: row.reason,
    then: row.rejection_then,
    conditions: JSON.parse(row.conditions) as string[],
    constraints: JSON.parse(row.constraints) as string[],
    waived: JSON.parse(row.waived) as number[],
    by: row.decided_by,
    at: row.decided_at,
    keyid: row.keyid,
    signed_with: row.passkey === 1 ? 'passkey' : 'key',
  }));
}
