/** The parts of an RFC, from its records. */
import type { ItemOf } from '../../core/records/parts.ts';
import { latestRevision, questionState } from '../../core/rfc/rfc.ts';
import type { Alternative, RfcDocument, RfcSection } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { State } from '../../core/state/state.ts';
import { recordsOf, type Recorded } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { sameTextKey, answerLine } from '../../core/kit/text.ts';

/**
 * The content of one revision.
 * @throws Error for an unknown number
 */
export function documentOf(view: View, { id }: Pick<Rfc, 'id'>, number: number): RfcDocument {
  const document = documentsOf(view, id)[number - 1];
  if (!document) throw new Error(`${id} has no revision ${String(number)}`);
  return document;
}

/** The content of each revision, in order. */
function documentsOf({ rows }: View, id: string): RfcDocument[] {
  return recordsOf(rows, id, 'rfc.proposed', 'rfc.revised').map(({ record }) => record.document);
}

/** What one revision says, in the names of the JSON output. */
export interface DocumentView extends ReturnType<typeof documentView> {}

export function documentView({ title, sections, alternatives, questions }: RfcDocument) {
  return {
    title,
    sections,
    alternatives: alternatives.map(alternativeView),
    questions: questions.map(({ text, answered, answer, humanRequired }) => ({
      text,
      answered,
      ...(answer === undefined ? {} : { answer }),
      ...(humanRequired === undefined
        ? {}
        : {
            /** Its author wants a human's answer. */
            human_required: humanRequired,
          }),
    })),
  };
}

/** The reverse of `alternativeOf`. */
/** A design that was considered and not taken. */
export interface AlternativeView {
  readonly name: string;
  readonly description?: string | undefined;
  readonly pros: readonly string[];
  readonly cons: readonly string[];
  readonly effort_estimate?: string | undefined;
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

export function alternativeOf({ effort_estimate: effort, description, ...one }: AlternativeView): Alternative {
  return {
    ...one,
    pros: [...one.pros],
    cons: [...one.cons],
    ...(description === undefined ? {} : { description }),
    ...(effort === undefined ? {} : { effortEstimate: effort }),
  };
}

export interface RevisionView extends ItemOf<ReturnType<typeof revisionsOf>> {}

export function revisionsOf({ rows }: View, { id, revisions }: Rfc) {
  const notes = new Map(recordsOf(rows, id, 'rfc.revised').map(({ record }) => [record.revision, record.note]));
  return revisions.map(({ number, hash, by, at }) => ({
    number,
    hash,
    author: by,
    at,
    note: notes.get(number) ?? null,
  }));
}

export function sectionsOf(view: View, rfc: Rfc, shown: number, document: RfcDocument) {
  const hashes = documentsOf(view, rfc.id)
    .slice(0, shown)
    .map(({ sections }) => new Set(sections.map(sectionHash)));
  return document.sections.map((section) => {
    const hash = sectionHash(section);
    const before = hashes.findLastIndex((one) => !one.has(hash));
    return {
      ...section,
      /** Hash of heading and text, to detect later changes. */
      hash,
      /** The latest revision that changed it, up to the one shown. */
      changed_in: Math.min(shown, before + 2),
    };
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

export interface OpenQuestionView extends ItemOf<ReturnType<typeof documentQuestions>> {}

export function documentQuestions(view: View, rfc: Rfc, document: RfcDocument) {
  return rfc.questions
    .map((question) => {
      const state = questionState(view.state, question);
      return {
        number: question.number,
        text: question.text,
        state,
        /** Whether the revision shown still asks it. */
        in_document: question.inDocument,
        author_answer: document.questions.find(({ text }) => text === question.text)?.answer ?? null,
        /** The reviewer's answer, unless rejected. Not signed by a human. */
        ai_answer: question.answeredIn === null ? null : aiAnswer(view, rfc.id, question.answeredIn, question.number),
        /** The question that a human sees, and the human's reply. */
        human: humanAnswer(view.state, question.asked),
      };
    })
    .filter(({ in_document, human, state }) => in_document || human !== null || state === 'human_required');
}

function aiAnswer({ rows }: View, id: string, review: number, question: number) {
  const reviewed = recordsOf(rows, id, 'rfc.reviewed').find(({ record }) => record.review === review);
  const given = reviewed?.record.answers.find((one) => one.question === question);
  if (!reviewed || !given) return null;
  const { answer = '', evidence, confidence = null } = given;
  const { model, prompt } = reviewed.record;
  return { answer, evidence, confidence, model, prompt: promptOf(prompt), at: reviewed.time };
}

function promptOf(prompt: { readonly name: string; readonly version: string } | null): string | null {
  return prompt === null ? null : `${prompt.name} ${prompt.version}`.trim();
}

function humanAnswer(state: State, id: string | null) {
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

export interface ThreadView extends ItemOf<ReturnType<typeof threadsOf>> {}

export function threadsOf({ rows }: View, id: string) {
  const replies = recordsOf(rows, id, 'rfc.feedbackReplied', 'rfc.threadReplied');
  const resolved = recordsOf(rows, id, 'rfc.threadResolved');
  return recordsOf(rows, id, 'rfc.feedbackGiven', 'rfc.commented').map((given) => {
    const { thread: number, revision, type, section, quote = null, text, blocking } = given.record;
    const done = resolved.find(({ record }) => record.thread === number);
    return {
      ...{ number, revision, type, section, quote, text, blocking, ...authorOf(given) },
      resolved: done ? { by: done.actor, at: done.time } : null,
      replies: replies
        .filter(({ record }) => record.thread === number)
        .map((reply) => ({ number: reply.record.reply, text: reply.record.text, ...authorOf(reply) })),
    };
  });
}

function authorOf({
  actor,
  actor_kind,
  keyid,
  time,
}: Pick<Recorded<'rfc.commented'>, 'actor' | 'actor_kind' | 'keyid' | 'time'>) {
  return {
    by: actor,
    by_kind: actor_kind,
    /** True if a human's signature proves the author; otherwise the name is unverified. */
    signed: keyid !== null,
    at: time,
  };
}

export interface ReviewView extends ItemOf<ReturnType<typeof reviewsOf>> {}

export function reviewsOf({ rows }: View, id: string) {
  return recordsOf(rows, id, 'rfc.reviewed').map(({ time, record }) => {
    const { review: number, revision, model, prompt, followUp, verdict, stage, summary = null, note } = record;
    return {
      number,
      revision,
      model,
      prompt: promptOf(prompt),
      follow_up: followUp,
      verdict,
      stage,
      summary,
      /** Why the loop ended early, if it did. */
      note,
      at: time,
    };
  });
}

export interface RfcDecisionView extends ItemOf<ReturnType<typeof decisionsOf>> {}

/** Decisions of humans, in order. */
export function decisionsOf({ rows }: View, id: string) {
  const records = recordsOf(rows, id, 'rfc.approved', 'rfc.changesRequested', 'rfc.rejected', 'rfc.withdrawn');
  const approved = records.findIndex(({ record }) => record.kind === 'rfc.approved');
  return records.map(({ record, actor, time, keyid, passkey }, index) => ({
    number: index + 1,
    action: actions[record.kind],
    revision: record.kind === 'rfc.withdrawn' ? null : record.revision,
    /** Whether an earlier revision was approved before: then only the amendment was decided. */
    amendment: approved >= 0 && index > approved,
    reason: record.kind === 'rfc.approved' ? null : record.reason,
    then: record.kind === 'rfc.rejected' ? record.then : null,
    ...termsOf(record),
    by: actor,
    at: time,
    /** Of the key that signed it. */
    keyid: keyid ?? '',
    /** `passkey`: verified by a PIN, a fingerprint or the like. */
    signed_with: passkey === 1 ? ('passkey' as const) : ('key' as const),
  }));
}

function termsOf(record: Recorded<keyof typeof actions>['record']) {
  if (record.kind !== 'rfc.approved') return { conditions: [], constraints: [], waived: [] };
  const { conditions, constraints, waived = [] } = record;
  return {
    conditions,
    constraints,
    /** Numbers of open questions that the approval left unanswered. */
    waived: waived.map(({ question }) => question),
  };
}

const actions = {
  'rfc.approved': 'approved',
  'rfc.changesRequested': 'changes_requested',
  'rfc.rejected': 'rejected',
  'rfc.withdrawn': 'withdrawn',
} as const;
