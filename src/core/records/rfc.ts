/**
 * What the journal can say about RFCs. A revision is a whole document, so each stands for itself and the state needs no
 * texts. Numbers of revisions, threads, replies and reviews are in the records: a record made for another moment does not fit.
 */
import * as z from 'zod';
import { holdGlob } from '../kit/glob.ts';
import { envelope, list, record } from './parts.ts';
import {
  confidence,
  contextRole,
  feedbackType,
  rejectionThen,
  reviewNote,
  reviewStage,
  reviewVerdict,
  rfcId,
  rfcLimits,
  sectionKey,
} from './rfcWords.ts';
import { agentId, otherText, sameTextKey, sha256Hex, textField, workId } from '../kit/text.ts';
import { limits } from '../kit/words.ts';

const number = z.int().positive().max(1_000_000);

export const rfcSection = z.object({
  key: sectionKey,
  heading: textField(limits.title),
  /** Markdown beneath the heading. */
  text: textField(rfcLimits.section),
});
export type RfcSection = z.infer<typeof rfcSection>;

/** A design that was considered and not taken. */
export const alternative = z.object({
  name: textField(limits.title),
  description: otherText.optional(),
  pros: list(otherText),
  cons: list(otherText),
  effortEstimate: otherText.optional(),
});
export type Alternative = z.infer<typeof alternative>;

/** A question the document leaves open. `answered`: its author ticked it. */
export const openQuestion = z.object({
  text: textField(limits.questionText),
  answered: z.boolean().default(false),
  answer: otherText.optional(),
  /** Its author wants a human's answer, and no model's. Optional: documents of before hash as they did. */
  humanRequired: z.literal(true).optional(),
});

const once = (values: readonly string[]) => new Set(values).size === values.length;

/** What one revision says. */
export const rfcDocument = z.object({
  title: textField(limits.title),
  sections: list(rfcSection).refine(
    (sections) => once(sections.map(({ key }) => key).filter((key) => key !== 'other')),
    'name a section twice',
  ),
  alternatives: list(alternative),
  questions: list(openQuestion).refine(
    (questions) => once(questions.map(({ text }) => sameTextKey(text))),
    'ask a question twice',
  ),
});
export type RfcDocument = z.infer<typeof rfcDocument>;

export const rfcContext = z.object({ id: textField(limits.id), role: contextRole });
export type RfcContext = z.infer<typeof rfcContext>;

/** Markdown section a remark is about, by its key; by its heading where the key is `other`. */
const anchor = z.object({ key: sectionKey, heading: textField(limits.title) }).nullable();
export type Anchor = z.infer<typeof anchor>;

const feedback = {
  id: rfcId,
  /** The next free number of this RFC's threads. */
  thread: number,
  revision: number,
  type: feedbackType,
  section: anchor.default(null),
  /** The words it is about. */
  quote: otherText.optional(),
  text: otherText,
  blocking: z.boolean().default(false),
};

/** What one call of the reviewer said about one open question. */
export const reviewAnswer = z.object({
  question: number,
  outcome: z.enum(['answered', 'human_required']),
  answer: otherText.optional(),
  evidence: list(otherText),
  confidence: confidence.optional(),
});
export type ReviewAnswer = z.infer<typeof reviewAnswer>;

/** What agents, the reviewer and the system may write: all of it only adds. */
export const rfcRecords = [
  record('rfc.proposed', () => ({
    id: rfcId,
    document: rfcDocument,
    workflows: list(workId),
    tasks: list(workId),
    holds: list(holdGlob),
    contexts: list(rfcContext),
  })),
  record('rfc.revised', () => ({ id: rfcId, revision: number, document: rfcDocument, note: otherText.optional() })),
  /** More work, files or references: what is affected only ever grows. */
  record('rfc.widened', () => ({
    id: rfcId,
    addWorkflows: list(workId),
    addTasks: list(workId),
    addHolds: list(holdGlob),
    addContexts: list(rfcContext),
  })),
  /** Its author lets another agent change and submit it, too; the last one who was named. */
  record('rfc.handedOver', () => ({ id: rfcId, to: agentId })),
  record('rfc.submitted', () => ({ id: rfcId, revision: number })),
  record('rfc.feedbackGiven', () => feedback),
  record('rfc.feedbackReplied', () => ({ id: rfcId, thread: number, reply: number, text: otherText })),
  record('rfc.implemented', () => ({ id: rfcId, note: otherText.optional() })),
  /** One call of the AI reviewer, or why there was none. It approves nothing, and never answers for a human. */
  record('rfc.reviewed', () => ({
    id: rfcId,
    review: number,
    revision: number,
    /** Null when no model was called. */
    model: textField(limits.title).nullable(),
    prompt: z.object({ name: textField(limits.id), version: textField(limits.id) }).nullable(),
    /** True for a call that asked again about questions left without an answer. */
    followUp: z.boolean().default(false),
    verdict: reviewVerdict.nullable(),
    stage: reviewStage,
    summary: otherText.optional(),
    /** For the human: why the loop ended here. */
    note: reviewNote.nullable().default(null),
    answers: list(reviewAnswer),
  })),
  /** What a review said was handed to whoever writes the RFC (many times) / they acted after having it (once). */
  record('rfc.reviewOffered', () => ({ id: rfcId, review: number, agent: agentId })),
  record('rfc.reviewAcknowledged', () => ({ id: rfcId, review: number, agent: agentId })),
  record('rfc.decisionOffered', () => ({ id: rfcId, decision: number, agent: agentId })),
  record('rfc.decisionAcknowledged', () => ({ id: rfcId, decision: number, agent: agentId })),
] as const;

/** What a human signs. `revision` and `hash` say which text: a decision never reaches a later one. */
export const rfcDecisions = [
  record('rfc.approved', () => ({
    id: rfcId,
    revision: number,
    hash: sha256Hex,
    conditions: list(otherText),
    constraints: list(otherText),
    /** Open questions that it leaves without an answer; `hash` says which words (see `waivedQuestion`). */
    waived: z
      .array(z.object({ question: number, hash: sha256Hex }))
      .min(1)
      .max(limits.listItems)
      .refine((waived) => once(waived.map(({ question }) => String(question))), 'waive a question twice')
      .optional(),
    envelope,
  })),
  record('rfc.changesRequested', () => ({ id: rfcId, revision: number, reason: otherText, envelope })),
  record('rfc.rejected', () => ({ id: rfcId, revision: number, reason: otherText, then: rejectionThen, envelope })),
  record('rfc.withdrawn', () => ({ id: rfcId, reason: otherText, envelope })),
  record('rfc.commented', () => ({ ...feedback, envelope })),
  record('rfc.threadReplied', () => ({ id: rfcId, thread: number, reply: number, text: otherText, envelope })),
  record('rfc.threadResolved', () => ({ id: rfcId, thread: number, envelope })),
  /** An AI answer is turned down: the question is a human's now. */
  record('rfc.answerOverruled', () => ({ id: rfcId, question: number, reason: otherText.optional(), envelope })),
] as const;

export type RfcRecord = z.infer<(typeof rfcRecords)[number]['schema']>;
export type RfcDecision = z.infer<(typeof rfcDecisions)[number]['schema']>;

const recordKinds: ReadonlySet<string> = new Set(rfcRecords.map(({ kind }) => kind));
const decisionKinds: ReadonlySet<string> = new Set(rfcDecisions.map(({ kind }) => kind));

export function isRfcRecord<R extends { readonly kind: string }>(record: R): record is Extract<R, RfcRecord> {
  return recordKinds.has(record.kind);
}

export function isRfcDecision<R extends { readonly kind: string }>(record: R): record is Extract<R, RfcDecision> {
  return decisionKinds.has(record.kind);
}
