/**
 * Records of RFCs. A revision is a whole document, so the state needs no texts. Records contain the numbers of
 * revisions, threads, replies and reviews, so that a record made for another moment does not fit.
 */
import * as z from 'zod';
import { holdGlob, addressee, agentId, otherText, textField, workId } from '../kit/fields.ts';
import { distinctLabels } from './question.ts';
import { list, record } from './parts.ts';
import { sameTextKey } from '../kit/text.ts';
import { limits } from '../kit/limits.ts';

// The closed word lists of RFCs.

/** Only a human can withdraw an RFC. */
export const rfcStatus = z.enum(['draft', 'under_review', 'approved', 'rejected', 'withdrawn', 'implemented']);
export type RfcStatus = z.infer<typeof rfcStatus>;

/** Only a human's signed feedback can be an `approval`, and by itself it approves nothing. */
export const feedbackType = z.enum(['question', 'concern', 'suggestion', 'approval']);
export type FeedbackType = z.infer<typeof feedbackType>;

/** The standard sections in order; `other` covers all sections with a heading of the author's own. */
export const sectionKey = z.enum([
  'summary',
  'motivation',
  'detailed_design',
  'alternatives',
  'unresolved_questions',
  'implementation_timeline',
  'rollback_plan',
  'other',
]);
export type SectionKey = z.infer<typeof sectionKey>;

export const rejectionThen = z.enum(['stop', 'another_way']);
export type RejectionThen = z.infer<typeof rejectionThen>;

const reviewStage = z.enum(['reviewing', 'questions_pending', 'awaiting_human']);
export type ReviewStage = z.infer<typeof reviewStage>;

export const reviewVerdict = z.enum(['approve', 'revise']);
export type ReviewVerdict = z.infer<typeof reviewVerdict>;

/** Why the reviewer's loop ended with unanswered questions. */
const reviewNote = z.enum(['no_model', 'not_allowed', 'failed', 'timed_out', 'malformed', 'budget_spent']);
export type ReviewNote = z.infer<typeof reviewNote>;

export const confidence = z.enum(['low', 'medium', 'high']);

/** Status of an open question; only `human_required` blocks an approval. */
export type OpenQuestionState = 'unanswered' | 'author_answered' | 'ai_answered' | 'human_required' | 'human_answered';

const contextRole = z.enum(['context', 'reasoning']);

export const rfcId = z.string().regex(/^RFC-[1-9]\d{0,8}$/, 'must look like RFC-3');

/** Lengths in UTF-16 code units. A whole document must fit into one journal line, 1 MiB. */
export const rfcLimits = { section: 1_000_000, documentBytes: 1024 * 1024 } as const;

export const rfcNumber = z.int().positive().max(1_000_000);

const rfcSection = z.object({
  key: sectionKey,
  heading: textField(limits.title),
  /** Markdown below the heading. */
  text: textField(rfcLimits.section),
});
export type RfcSection = z.infer<typeof rfcSection>;

/** A design that was considered but not chosen. */
export const alternative = z.object({
  name: textField(limits.title),
  description: otherText.optional(),
  pros: list(otherText),
  cons: list(otherText),
  effortEstimate: otherText.optional(),
});
export type Alternative = z.infer<typeof alternative>;

export const once = (values: readonly string[]) => new Set(values).size === values.length;

/** An answer that the author offers for an open question. */
const offeredChoice = z.object({
  label: textField(limits.title),
  description: otherText.optional(),
  recommended: z.literal(true).optional(),
});
export type OfferedChoice = z.infer<typeof offeredChoice>;

/** An open question of the document. `answered`: its author ticked it. */
const openQuestion = z.object({
  text: textField(limits.questionText),
  answered: z.boolean().default(false),
  answer: otherText.optional(),
  /** The author requires a human's answer, not a model's. Optional, so that earlier documents keep their hashes. */
  humanRequired: z.literal(true).optional(),
  /** Optional for the same reason. */
  choices: z.array(offeredChoice).min(2).max(limits.choices).refine(distinctLabels, 'name a choice twice').optional(),
});

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

/** The section a comment refers to, by key; by heading where the key is `other`. */
const anchor = z.object({ key: sectionKey, heading: textField(limits.title) }).nullable();
export type Anchor = z.infer<typeof anchor>;

export const feedback = {
  id: rfcId,
  /** The next free thread number of this RFC. */
  thread: rfcNumber,
  revision: rfcNumber,
  type: feedbackType,
  section: anchor.default(null),
  quote: otherText.optional(),
  text: otherText,
  blocking: z.boolean().default(false),
};

const reviewAnswer = z.object({
  question: rfcNumber,
  outcome: z.enum(['answered', 'human_required']),
  answer: otherText.optional(),
  evidence: list(otherText),
  confidence: confidence.optional(),
});
export type ReviewAnswer = z.infer<typeof reviewAnswer>;

/** Records by agents, the reviewer and the system: they only add. */
export const rfcRecords = [
  record('rfc.proposed', () => ({
    id: rfcId,
    document: rfcDocument,
    workflows: list(workId),
    tasks: list(workId),
    holds: list(holdGlob),
    contexts: list(rfcContext),
    for: addressee.optional(),
  })),
  record('rfc.revised', () => ({ id: rfcId, revision: rfcNumber, document: rfcDocument, note: otherText.optional() })),
  /** Adds work, files or references: the affected set only grows. */
  record('rfc.widened', () => ({
    id: rfcId,
    addWorkflows: list(workId),
    addTasks: list(workId),
    addHolds: list(holdGlob),
    addContexts: list(rfcContext),
  })),
  /** The author allows one other agent to edit and submit it; the latest one is used. */
  record('rfc.handedOver', () => ({ id: rfcId, to: agentId })),
  /** Whom it is for from now on; null: everybody. */
  record('rfc.addressed', () => ({ id: rfcId, to: addressee.nullable() })),
  record('rfc.submitted', () => ({ id: rfcId, revision: rfcNumber })),
  record('rfc.feedbackGiven', () => feedback),
  record('rfc.feedbackReplied', () => ({ id: rfcId, thread: rfcNumber, reply: rfcNumber, text: otherText })),
  record('rfc.implemented', () => ({ id: rfcId, note: otherText.optional() })),
  /** One call of the AI reviewer, or why there was none. It approves nothing, and never answers for a human. */
  record('rfc.reviewed', () => ({
    id: rfcId,
    review: rfcNumber,
    revision: rfcNumber,
    /** Null when no model was called. */
    model: textField(limits.title).nullable(),
    prompt: z.object({ name: textField(limits.id), version: textField(limits.id) }).nullable(),
    /** True for a follow-up on unanswered questions. */
    followUp: z.boolean().default(false),
    verdict: reviewVerdict.nullable(),
    stage: reviewStage,
    summary: otherText.optional(),
    /** For the human: why the loop ended. */
    note: reviewNote.nullable().default(null),
    answers: list(reviewAnswer),
  })),
  /** A review was delivered to a writer of the RFC (many times) / they acted after receiving it (once). */
  record('rfc.reviewOffered', () => ({ id: rfcId, review: rfcNumber, agent: agentId })),
  record('rfc.reviewAcknowledged', () => ({ id: rfcId, review: rfcNumber, agent: agentId })),
  record('rfc.decisionOffered', () => ({ id: rfcId, decision: rfcNumber, agent: agentId })),
  record('rfc.decisionAcknowledged', () => ({ id: rfcId, decision: rfcNumber, agent: agentId })),
] as const;

export type RfcRecord = z.infer<(typeof rfcRecords)[number]['schema']>;
