/** The closed word lists of RFCs. */
import * as z from 'zod';

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

/** Status of the AI review. */
export const reviewStage = z.enum(['reviewing', 'questions_pending', 'awaiting_human']);
export type ReviewStage = z.infer<typeof reviewStage>;

export const reviewVerdict = z.enum(['approve', 'revise']);
export type ReviewVerdict = z.infer<typeof reviewVerdict>;

/** Why the reviewer's loop ended with unanswered questions. */
export const reviewNote = z.enum(['no_model', 'not_allowed', 'failed', 'timed_out', 'malformed', 'budget_spent']);
export type ReviewNote = z.infer<typeof reviewNote>;

export const confidence = z.enum(['low', 'medium', 'high']);

/** Status of an open question; only `human_required` blocks an approval. */
export const openQuestionState = z.enum([
  'unanswered',
  'author_answered',
  'ai_answered',
  'human_required',
  'human_answered',
]);
export type OpenQuestionState = z.infer<typeof openQuestionState>;

/** How an RFC uses a reference. */
export const contextRole = z.enum(['context', 'reasoning']);

export const rfcId = z.string().regex(/^RFC-[1-9]\d{0,8}$/, 'must look like RFC-3');

/** Lengths in UTF-16 code units. A whole document must fit into one journal line, 1 MiB. */
export const rfcLimits = { section: 1_000_000, documentBytes: 1024 * 1024 } as const;
