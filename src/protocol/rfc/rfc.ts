/**
 * The review of one RFC: everything its host and its webview say to each other. As in the view "Answer" (question.ts):
 * whole snapshots one way, messages the other; those that decide carry what was shown, on which rendering, and a
 * name for the act.
 */
import * as z from 'zod';
import { confidence, feedbackType, reviewStage, reviewVerdict, rfcStatus } from '../../core/records/rfcWords.ts';
import { limits } from '../../core/kit/words.ts';
import {
  actMark,
  copyLinkMessage,
  keepMessage,
  openFileMessage,
  readyMessage,
  reason,
  trimmed,
} from '../kit/messages.ts';
import { outcome, unavailableView } from '../kit/outcome.ts';
import { imagePath, rfcImage } from './image.ts';
import {
  held,
  history,
  imported,
  isoTime,
  label,
  longText,
  person,
  renderMark,
  sentence,
  signer,
  snapshotHead,
  token,
} from '../kit/shared.ts';

/** Texts of a document are as long as the document may be. */
const documentText = z.string().max(1_100_000);
const revisionNumber = z.int().min(1);

/** Who wrote a remark: people, agents, or the AI reviewer by its model's name. */
const author = z.strictObject({
  ...person.shape,
  kind: z.enum(['human', 'agent', 'reviewer', 'system']),
  /** A human's name that no signature vouches for. */
  unsigned: z.literal(true).optional(),
});
export type Author = z.infer<typeof author>;

// What changed

/** A stretch of a line, and whether it is what changed in it. */
const piece = z.strictObject({ text: documentText, changed: z.boolean() });

/** A difference as it is read: lines that stayed, went or came, and how many unchanged ones are left out. */
export const differenceRow = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('same'), text: documentText }),
  z.strictObject({ type: z.enum(['removed', 'added']), pieces: z.array(piece) }),
  z.strictObject({ type: z.literal('gap'), lines: z.int().min(1) }),
]);
export type DifferenceRow = z.infer<typeof differenceRow>;

// The document

/** Texts are Markdown. */
const alternative = z.strictObject({
  name: label,
  description: longText,
  pros: z.array(longText),
  cons: z.array(longText),
  effort: longText,
});

/** A remark and what was said to it. Kept outside the document: nothing in a new revision rewrites or removes it. */
const thread = z.strictObject({
  key: token,
  type: feedbackType,
  blocking: z.boolean(),
  by: author,
  at: isoTime,
  /** The words of the document it is about. */
  quote: longText.optional(),
  /** Markdown. */
  text: longText,
  /** The revision it was written about; `outdated` when its section has changed since. */
  revision: revisionNumber,
  outdated: z.boolean(),
  replies: z.array(z.strictObject({ by: author, at: isoTime, text: longText })),
  resolved: z.strictObject({ by: person, at: isoTime }).optional(),
});
export type Thread = z.infer<typeof thread>;
export type FeedbackType = Thread['type'];

/** How it stands with an open question of the document. */
const standing = z.discriminatedUnion('type', [
  /** Nobody has answered yet. */
  z.strictObject({ type: z.literal('open') }),
  /** The AI reviewer answered: shown as such, and one click turns it down. */
  z.strictObject({
    type: z.literal('answeredByModel'),
    model: label,
    at: isoTime,
    answer: longText,
    evidence: longText.optional(),
    confidence: confidence.optional(),
  }),
  /** Only a human can answer; `question` is the form for it. */
  z.strictObject({
    type: z.literal('waitsForHuman'),
    question: z.strictObject({ key: token, id: label }).optional(),
    /** What the model had said before it was turned down, or why it gave it up. */
    because: sentence.optional(),
  }),
  z.strictObject({ type: z.literal('answeredByHuman'), by: person, at: isoTime, answer: longText }),
  /** The document itself says so. */
  z.strictObject({ type: z.literal('settled'), answer: longText.optional() }),
]);

/** An answer that the author offers. */
const offered = z.strictObject({
  label: z.string().min(1).max(limits.title),
  description: longText.optional(),
  recommended: z.literal(true).optional(),
});
export type OfferedChoice = z.infer<typeof offered>;

const openQuestion = z.strictObject({
  key: token,
  text: longText,
  choices: z.array(offered).max(limits.choices),
  /** Markdown: what its author says to it. */
  more: documentText.optional(),
  standing,
});
export type OpenQuestion = z.infer<typeof openQuestion>;

const section = z.strictObject({
  /** Names the place: the same in every revision that has the section. */
  id: token,
  title: label,
  /** Markdown; absent where there is a place for remarks alone. */
  text: documentText.optional(),
  alternatives: z.array(alternative),
  questions: z.array(openQuestion),
  threads: z.array(thread),
  /** Since the reader's last review; `gone` is one that this revision no longer has. */
  change: z.enum(['none', 'changed', 'new', 'gone']),
  /** There while a comparison is asked for, and this section differs. */
  difference: z.array(differenceRow).optional(),
});
export type Section = z.infer<typeof section>;

// How it stands

const revision = z.strictObject({
  number: revisionNumber,
  /** Short, for people. */
  hash: label,
  at: isoTime,
  by: label,
  /** This one was approved. */
  approved: z.boolean(),
});
export type Revision = z.infer<typeof revision>;

/** What an approval asks for. */
const terms = { conditions: z.array(longText), constraints: z.array(longText) };

const decided = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('approved'),
    by: person,
    at: isoTime,
    revision: revisionNumber,
    hash: label,
    ...terms,
  }),
  z.strictObject({ type: z.literal('changesRequested'), by: person, at: isoTime, reason: longText }),
  z.strictObject({
    type: z.literal('rejected'),
    by: person,
    at: isoTime,
    reason: longText,
    way: z.enum(['stop', 'otherWay']),
  }),
  z.strictObject({ type: z.literal('withdrawn'), by: person, at: isoTime, reason: longText.optional() }),
]);
export type Decided = z.infer<typeof decided>;

/** What the AI reviewer has done so far. It never approves. */
const reviewing = z.strictObject({
  stage: reviewStage,
  model: label.optional(),
  verdict: reviewVerdict.optional(),
  /** Markdown. */
  summary: longText.optional(),
  at: isoTime.optional(),
  round: z.int().min(1).optional(),
  rounds: z.int().min(1).optional(),
  /** Why no model has read it, and the like. */
  note: sentence.optional(),
});
export type Reviewing = z.infer<typeof reviewing>;

export const rfcView = z.strictObject({
  type: z.literal('rfc'),
  ...renderMark,
  /** For people: RFC-3. */
  id: z.string().min(1).max(limits.id),
  folder: label.optional(),
  title: z.string().min(1).max(limits.title),
  agent: label,
  proposedAt: isoTime,
  imported: imported.optional(),
  status: rfcStatus,
  reviewing: reviewing.optional(),

  /** All there are, oldest first. */
  revisions: z.array(revision).min(1),
  /** The one that is shown, and the latest: only that one can be approved. */
  revision: revisionNumber,
  latest: revisionNumber,
  /** The revision of the reader's last review. */
  reviewed: revisionNumber.optional(),
  /** What the shown one is compared with. */
  compared: revisionNumber.optional(),

  sections: z.array(section),
  /** What it refers to: events and earlier reasoning. */
  references: z.array(z.strictObject({ id: label, text: longText })),

  blocks: z.strictObject(held),
  /** What stands in the way of an approval, counted over the whole RFC. */
  missing: z.strictObject({
    threads: z.int().min(0),
    questions: z.int().min(0),
    /** Open questions without any answer: an approval waives each by name. Absent: there are none. */
    open: z.array(z.strictObject({ key: token, text: longText })).optional(),
  }),
  /** Further reasons why it cannot be approved now. */
  notYet: z.array(sentence),
  /** What a human may do with it in its present state. */
  may: z.strictObject({
    approve: z.boolean(),
    requestChanges: z.boolean(),
    reject: z.boolean(),
    withdraw: z.boolean(),
    /** Have every file held, or again what was named. */
    holdAll: z.boolean(),
    holdNamed: z.boolean(),
    comment: z.boolean(),
    /** Answer its open questions. */
    answer: z.boolean(),
    askReviewer: z.boolean(),
  }),
  /** The latest decision. */
  decided: decided.optional(),
  /** While an amendment is under review: the approved revision, which stays in force. */
  inForce: z.strictObject({ revision: revisionNumber, hash: label, ...terms }).optional(),
  /** Has the agent got the decision? */
  told: z.strictObject({ agent: label, at: isoTime.optional() }).optional(),

  locked: z.strictObject({ why: sentence, action: z.enum(['enrol']).optional() }).optional(),
  answersAs: signer,
  history,
});
export type RfcView = z.infer<typeof rfcView>;
export type RfcStatus = RfcView['status'];

/** Host to webview: all there is to show. */
export const rfcSnapshot = z.strictObject({
  ...snapshotHead,
  limits: z.strictObject({ text: z.int(), name: z.int(), lines: z.int(), answer: z.int() }),
  view: z.discriminatedUnion('type', [rfcView, unavailableView]),
  kept: z.string().optional(),
  outcome: outcome.optional(),
  /** A new value asks once for keyboard focus. */
  focus: token.optional(),
  /** The one that was asked for last. */
  image: rfcImage.optional(),
});
export type RfcSnapshot = z.infer<typeof rfcSnapshot>;

// Webview to host

const lines = z.array(reason).max(limits.listItems);

/** A remark about a section, or about words of it. */
const comment = z.strictObject({
  section: token,
  feedback: feedbackType,
  content: reason,
  blocking: z.boolean(),
  quote: reason.optional(),
});
export type Comment = z.infer<typeof comment>;
/** What was written while reading, sent with a decision. */
const comments = { comments: z.array(comment).max(limits.listItems).optional() };

export const rfcMessage = z.discriminatedUnion('type', [
  readyMessage,
  keepMessage,

  /** Approves one revision, and no later one. */
  z.strictObject({
    type: z.literal('approve'),
    ...actMark,
    revision: revisionNumber,
    conditions: lines,
    constraints: lines,
    /** Keys of open questions that need no answer. */
    waived: z.array(token).max(limits.listItems).optional(),
    ...comments,
  }),
  z.strictObject({ type: z.literal('requestChanges'), ...actMark, reason, ...comments }),
  /** `stop` ends the work it holds; `otherWay` lets it go on, with the reason as a constraint. */
  z.strictObject({ type: z.literal('reject'), ...actMark, reason, way: z.enum(['stop', 'otherWay']), ...comments }),
  z.strictObject({ type: z.literal('withdraw'), ...actMark, reason }),
  /** Every file of the workspace is held until it is decided; or again what was named. */
  z.strictObject({ type: z.literal('holdAll'), ...actMark }),
  z.strictObject({ type: z.literal('holdNamed'), ...actMark }),

  /** Comments without a decision: one, or all of a review. */
  z.strictObject({
    type: z.literal('addFeedback'),
    ...actMark,
    revision: revisionNumber,
    comments: z.array(comment).min(1).max(limits.listItems),
  }),
  z.strictObject({ type: z.literal('reply'), ...actMark, thread: token, content: reason }),
  z.strictObject({ type: z.literal('resolveThread'), ...actMark, thread: token }),
  /** Turns down what the model answered: a human is asked instead. */
  z.strictObject({ type: z.literal('overruleAnswer'), ...actMark, question: token }),
  /** Answers an open question, whoever was asked it before. */
  z.strictObject({
    type: z.literal('answerQuestion'),
    ...actMark,
    question: token,
    choices: z.array(z.string().min(1).max(limits.title)).max(1),
    content: trimmed(limits.answerText),
  }),

  // Harmless ones
  z.strictObject({ type: z.literal('selectRevision'), key: token, revision: revisionNumber }),
  z.strictObject({ type: z.literal('showDiff'), key: token, from: revisionNumber.optional() }),
  /** The person at the page wants a model to read it now. */
  z.strictObject({ type: z.literal('askReviewer'), key: token }),
  /** The same RFC as a read-only text in the editor. */
  z.strictObject({ type: z.literal('openDocument'), key: token }),
  z.strictObject({ type: z.literal('openQuestion'), key: token, question: token }),
  openFileMessage,
  z.strictObject({ type: z.literal('showImage'), key: token, path: imagePath }),
  copyLinkMessage,
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow', 'enrol']) }),
]);
export type RfcMessage = z.infer<typeof rfcMessage>;
/** The messages that change something: by trusted event only, and once. */
export type RfcAct = Extract<RfcMessage, { act: string }>;
