/**
 * The review of one RFC: all messages between its host and its webview. As in the view "Answer" (question.ts):
 * whole snapshots one way, messages the other; those that decide carry a hash of what was shown, the rendering and the
 * act's id.
 */
import * as z from 'zod';
import { confidence, feedbackType, reviewStage, reviewVerdict, rfcStatus } from '../../core/records/rfcWords.ts';
import { limits } from '../../core/kit/words.ts';
import {
  actMark,
  copyLinkMessage,
  keepMessage,
  openFileMessage,
  openInBrowserMessage,
  readyMessage,
  reason,
  trimmed,
} from '../kit/messages.ts';
import { acceptChangesMessage, compareHeldMessage, heldChanges, restoreHeldMessage } from '../kit/heldChanges.ts';
import { outcome, unavailableView } from '../kit/outcome.ts';
import { people } from '../kit/people.ts';
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

/** A text of a document can be as long as the whole document. */
const documentText = z.string().max(1_100_000);
const revisionNumber = z.int().min(1);

/** The author of a comment: a person, an agent, or the AI reviewer by its model's name. */
const author = z.strictObject({
  ...person.shape,
  kind: z.enum(['human', 'agent', 'reviewer', 'system']),
  /** A human's name without a signature. */
  unsigned: z.literal(true).optional(),
});
export type Author = z.infer<typeof author>;

// What changed

/** Part of a line, and whether it changed. */
const piece = z.strictObject({ text: documentText, changed: z.boolean() });

/** A row of a diff: a line that stayed, was removed or added, or the number of unchanged lines left out. */
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

/** A comment and its replies. Stored outside the document, so a new revision cannot change or remove it. */
const thread = z.strictObject({
  key: token,
  type: feedbackType,
  blocking: z.boolean(),
  by: author,
  at: isoTime,
  /** The quoted words of the document. */
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

/** The status of an open question of the document. */
const standing = z.discriminatedUnion('type', [
  /** Not answered yet. */
  z.strictObject({ type: z.literal('open') }),
  /** Answered by the AI reviewer: labelled as such, and one click rejects it. */
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
    /** The model's rejected answer, or why the model could not answer. */
    because: sentence.optional(),
  }),
  z.strictObject({ type: z.literal('answeredByHuman'), by: person, at: isoTime, answer: longText }),
  /** Answered in the document itself. */
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
  /** Identifies the section: the same in every revision that has it. */
  id: token,
  title: label,
  /** Markdown; absent if the section only has comments. */
  text: documentText.optional(),
  alternatives: z.array(alternative),
  questions: z.array(openQuestion),
  threads: z.array(thread),
  /** Compared with the reader's last review; `gone` means that this revision no longer has it. */
  change: z.enum(['none', 'changed', 'new', 'gone']),
  /** Present while a comparison is shown and this section differs. */
  difference: z.array(differenceRow).optional(),
});
export type Section = z.infer<typeof section>;

// Status

const revision = z.strictObject({
  number: revisionNumber,
  /** Short, for people. */
  hash: label,
  at: isoTime,
  by: label,
  /** This revision was approved. */
  approved: z.boolean(),
});
export type Revision = z.infer<typeof revision>;

/** The conditions of an approval. */
const terms = { conditions: z.array(longText), constraints: z.array(longText) };

/** `passkey`: the one that signed it, as its human calls it. */
const byPerson = { by: person, at: isoTime, passkey: label.optional() };

const decided = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('approved'),
    ...byPerson,
    revision: revisionNumber,
    hash: label,
    ...terms,
  }),
  z.strictObject({ type: z.literal('changesRequested'), ...byPerson, reason: longText }),
  z.strictObject({
    type: z.literal('rejected'),
    ...byPerson,
    reason: longText,
    way: z.enum(['stop', 'otherWay']),
  }),
  /** The approved revision stays in force: `revision`, with its terms. */
  z.strictObject({
    type: z.literal('amendmentRejected'),
    ...byPerson,
    reason: longText,
    revision: revisionNumber,
    hash: label,
    ...terms,
  }),
  z.strictObject({ type: z.literal('withdrawn'), ...byPerson, reason: longText.optional() }),
]);
export type Decided = z.infer<typeof decided>;

/** The progress of the AI reviewer. It never approves. */
const reviewing = z.strictObject({
  stage: reviewStage,
  model: label.optional(),
  verdict: reviewVerdict.optional(),
  /** Markdown. */
  summary: longText.optional(),
  at: isoTime.optional(),
  round: z.int().min(1).optional(),
  rounds: z.int().min(1).optional(),
  /** For example, why no model has read it. */
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
  /** A person or responsibility that should review it; everybody can. */
  for: label.optional(),
  /** Present if the policy asks for certain people. */
  people: people.optional(),
  /** Why this human's decision would not count; comments do. */
  unlisted: sentence.optional(),
  /** Why only a passkey decides it: a button opens its page in the browser. */
  inBrowser: sentence.optional(),
  proposedAt: isoTime,
  imported: imported.optional(),
  status: rfcStatus,
  reviewing: reviewing.optional(),

  /** All revisions, oldest first. */
  revisions: z.array(revision).min(1),
  /** The displayed revision and the latest, which is the only one that can be approved. */
  revision: revisionNumber,
  latest: revisionNumber,
  /** The revision of the reader's last review. */
  reviewed: revisionNumber.optional(),
  /** The revision it is compared with. */
  compared: revisionNumber.optional(),

  sections: z.array(section),
  /** References: events and earlier reasoning. */
  references: z.array(z.strictObject({ id: label, text: longText })),

  blocks: z.strictObject(held),
  /** Held files that have changed, which no human has accepted. */
  changes: heldChanges.optional(),
  /** Obstacles to an approval, counted over the whole RFC. */
  missing: z.strictObject({
    threads: z.int().min(0),
    questions: z.int().min(0),
    /** Open questions without an answer: an approval waives each by name. Absent if there are none. */
    open: z.array(z.strictObject({ key: token, text: longText })).optional(),
  }),
  /** Further reasons why it cannot be approved now. */
  notYet: z.array(sentence),
  /** The acts that are available to a human in its current status. */
  may: z.strictObject({
    approve: z.boolean(),
    requestChanges: z.boolean(),
    reject: z.boolean(),
    withdraw: z.boolean(),
    /** Hold every file, or go back to the named files. */
    holdAll: z.boolean(),
    holdNamed: z.boolean(),
    comment: z.boolean(),
    /** Answer its open questions. */
    answer: z.boolean(),
    askReviewer: z.boolean(),
  }),
  /** The latest decision. */
  decided: decided.optional(),
  /** While an amendment is written or reviewed, and after its rejection: the approved revision, which stays in force. */
  inForce: z.strictObject({ revision: revisionNumber, hash: label, ...terms }).optional(),
  /** Whether the agent has received the decision. */
  received: z.strictObject({ agent: label, at: isoTime.optional() }).optional(),

  locked: z.strictObject({ why: sentence, action: z.enum(['enrol']).optional() }).optional(),
  answersAs: signer,
  history,
});
export type RfcView = z.infer<typeof rfcView>;
export type RfcStatus = RfcView['status'];

/** Host to webview: the whole view. */
export const rfcSnapshot = z.strictObject({
  ...snapshotHead,
  limits: z.strictObject({ text: z.int(), name: z.int(), lines: z.int(), answer: z.int() }),
  view: z.discriminatedUnion('type', [rfcView, unavailableView]),
  kept: z.string().optional(),
  outcome: outcome.optional(),
  /** A new value requests keyboard focus once. */
  focus: token.optional(),
  /** The image that was requested last. */
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

  /** Approves exactly one revision. */
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
  /** `stop` cancels the work it holds; `otherWay` releases it, with the reason as a constraint. */
  z.strictObject({ type: z.literal('reject'), ...actMark, reason, way: z.enum(['stop', 'otherWay']), ...comments }),
  z.strictObject({ type: z.literal('withdraw'), ...actMark, reason }),
  /** Holds every file of the workspace until it is decided, or goes back to the named files. */
  z.strictObject({ type: z.literal('holdAll'), ...actMark }),
  z.strictObject({ type: z.literal('holdNamed'), ...actMark }),
  acceptChangesMessage,

  /** Comments without a decision: one, or all of a review. */
  z.strictObject({
    type: z.literal('addFeedback'),
    ...actMark,
    revision: revisionNumber,
    comments: z.array(comment).min(1).max(limits.listItems),
  }),
  z.strictObject({ type: z.literal('reply'), ...actMark, thread: token, content: reason }),
  z.strictObject({ type: z.literal('resolveThread'), ...actMark, thread: token }),
  /** Rejects the model's answer: a human is asked instead. */
  z.strictObject({ type: z.literal('overruleAnswer'), ...actMark, question: token }),
  /** Answers an open question, even one that somebody else was to answer. */
  z.strictObject({
    type: z.literal('answerQuestion'),
    ...actMark,
    question: token,
    choices: z.array(z.string().min(1).max(limits.title)).max(1),
    content: trimmed(limits.answerText),
  }),

  // Messages that change nothing
  z.strictObject({ type: z.literal('selectRevision'), key: token, revision: revisionNumber }),
  z.strictObject({ type: z.literal('showDiff'), key: token, from: revisionNumber.optional() }),
  /** Asks a language model to review it now. */
  z.strictObject({ type: z.literal('askReviewer'), key: token }),
  /** The same RFC as a read-only text in the editor. */
  z.strictObject({ type: z.literal('openDocument'), key: token }),
  z.strictObject({ type: z.literal('openQuestion'), key: token, question: token }),
  compareHeldMessage,
  restoreHeldMessage,
  openFileMessage,
  openInBrowserMessage,
  z.strictObject({ type: z.literal('showImage'), key: token, path: imagePath }),
  copyLinkMessage,
  z.strictObject({
    type: z.literal('do'),
    action: z.enum(['openFolder', 'manageTrust', 'reloadWindow', 'enrol']),
  }),
]);
export type RfcMessage = z.infer<typeof rfcMessage>;
/** Messages that change something: accepted once, and only from a trusted event. */
export type RfcAct = Extract<RfcMessage, { act: string }>;
