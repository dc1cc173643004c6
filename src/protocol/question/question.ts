/**
 * The view "Answer": everything its host and its webview say to each other.
 *
 * The host sends one thing, a whole {@link Snapshot}: whatever the webview missed while it was hidden is in the next
 * one. The webview sends messages; those that decide carry what was on the screen (`shown`), on which rendering
 * (`render`) and a name for the act (`act`), so that a decision can be tied to exactly what the human saw, and sent
 * twice without being done twice.
 */
import * as z from 'zod';
import { answerEffect, limits, questionMode, questionType, urgency } from '../../core/kit/words.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';
import {
  fileRef,
  history,
  imported,
  isoTime,
  label,
  held,
  longText,
  person,
  renderMark,
  sentence,
  signer,
  snapshotHead,
  token,
  workRef,
} from '../kit/shared.ts';
import {
  actMark,
  copyLinkMessage,
  keepMessage,
  openFileMessage,
  readyMessage,
  reason,
  trimmed,
} from '../kit/messages.ts';
import { harmlessAction, outcome, unavailableView } from '../kit/outcome.ts';
import { appointMessage, appointView, askMessage, askView, requestMessage, requestView } from '../request/forms.ts';
import { enrolMessage, enrolView, keysMessage, keysView, keyMessages } from '../keys/forms.ts';
import { recoverMessage, recoveryView } from '../recovery/forms.ts';
import { policyMessage, policyView, releaseAllMessage, releaseAllView } from '../workspace/forms.ts';

export type { AnswerEffect };

const questionId = z.string().min(1).max(limits.id);

// A question

/** One way to answer. The label is the value: it is what is given back and signed. */
export const choice = z.strictObject({
  label: z.string().min(1).max(limits.title),
  description: longText.optional(),
  /** The agent's own advice. */
  recommended: z.boolean(),
  /** This one is not taken without a reason (the No of an approval). */
  needsReason: z.boolean().optional(),
  /** What the form takes it to mean until the human says otherwise, where that is not `proceed`. */
  effect: answerEffect.optional(),
  /** Picked, it cannot mean that what was asked may be done (the No of an approval). */
  refuses: z.boolean().optional(),
});
export type Choice = z.infer<typeof choice>;

/** Has the agent got it? Waiting until it has acknowledged, not merely been offered it. */
export const delivery = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('waiting'), agent: label }),
  z.strictObject({ type: z.literal('received'), agent: label, at: isoTime }),
]);
export type Delivery = z.infer<typeof delivery>;

const resolved = { by: person, at: isoTime, delivery: delivery.optional() };

/** How it stands with the question. All but `pending` are final. */
export const resolution = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pending') }),
  z.strictObject({
    type: z.literal('answered'),
    choices: z.array(label),
    text: longText,
    ...resolved,
    /** Whoever asked the same got this answer without a human; the latest first. `count` may be more than what is named. */
    again: z
      .strictObject({ count: z.int().min(1), named: z.array(z.strictObject({ agent: label, at: isoTime })) })
      .optional(),
    /** A human wants to be asked anew. */
    revoked: z.strictObject({ by: person, at: isoTime, reason: longText }).optional(),
    /** It would be given again to whoever asks the same: then the form offers to end that. */
    revocable: z.boolean(),
    /** What it means for what was asked. */
    effect: answerEffect,
    /** A human took back what it refused. Until then the form of a refusal offers that. */
    lifted: z.strictObject({ by: person, at: isoTime, reason: longText }).optional(),
  }),
  z.strictObject({ type: z.literal('cancelled'), reason: longText, ...resolved }),
  z.strictObject({ type: z.literal('released'), note: longText, ...resolved }),
  z.strictObject({
    type: z.literal('expired'),
    at: isoTime,
    /** Work that failed because nobody answered. */
    failed: z.array(workRef),
    /** Expiry frees nothing: true until a human releases it, and then the form offers that. */
    held: z.boolean(),
  }),
]);
export type Resolution = z.infer<typeof resolution>;

/** The form for one question: the nine parts of it, top to bottom. */
export const questionView = z.strictObject({
  type: z.literal('question'),
  ...renderMark,
  /** For people: Q-12. */
  id: questionId,
  /** The workspace folder, when the window has several. */
  folder: label.optional(),

  urgency,
  kind: questionType,
  mode: questionMode,
  agent: label,
  raisedAt: isoTime,
  imported: imported.optional(),

  /** Markdown, as the agent wrote it. */
  text: z.string().min(1).max(limits.questionText),
  /** Markdown. */
  background: longText.optional(),
  impact: longText.optional(),
  ifDelayed: longText.optional(),

  blocks: z.strictObject({
    ...held,
    /** The asker does nothing else until then. */
    wholeSession: z.boolean(),
  }),
  files: z.array(fileRef),
  /** Markdown, one each. */
  alternatives: z.array(longText),
  snippet: z.strictObject({ text: longText, file: fileRef.optional() }).optional(),
  /** Async only: what the agent goes on with, and the files it has touched since it asked. */
  assumption: z.strictObject({ text: longText, touched: z.array(fileRef) }).optional(),

  choices: z.array(choice).max(limits.choices),
  multiple: z.boolean(),
  /** The text box: always there without choices; with them `optional` adds a reason. */
  freeText: z.enum(['none', 'optional', 'required']),

  resolution,
  expiresAt: isoTime.optional(),
  /** Why nothing can be decided here now (a store only newer versions may write, …). The form is then read only. */
  locked: sentence.optional(),
  /** Critical ones are decided in two steps, both inside the form. */
  secondStep: z.boolean(),
  answersAs: signer,
  /** What has happened to it so far, oldest first. */
  history,

  /** Among what waits; absent when this one no longer does. */
  position: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }).optional(),
  /** The form that lets all of this agent go on; there when it has more than one open question. */
  releaseAll: z.strictObject({ key: token, count: z.int().min(2) }).optional(),
  next: z.strictObject({ key: token, id: questionId }).optional(),
});
export type QuestionForm = z.infer<typeof questionView>;

// The other things the view can show

/** Nothing waits: what goes on meanwhile. */
export const nothingView = z.strictObject({
  type: z.literal('nothing'),
  /** No question waits, but these do: they are reviewed in a tab of their own. */
  rfcs: z.array(z.strictObject({ key: token, id: questionId, title: label })),
  /** Nor do these: agents want events closed, which is looked at in the briefing. */
  proposals: z.array(z.strictObject({ key: token, id: questionId, title: label })),
  agents: z.array(z.strictObject({ agent: label, what: z.string().max(limits.otherText), since: isoTime })),
});
export type NothingView = z.infer<typeof nothingView>;

export const view = z.discriminatedUnion('type', [
  questionView,
  nothingView,
  policyView,
  releaseAllView,
  requestView,
  askView,
  appointView,
  recoveryView,
  keysView,
  enrolView,
  unavailableView,
]);
export type AnswerSnapshot = z.infer<typeof view>;

// Beside the view

/** A record that would have decided something, without a valid signature. It decided nothing. */
export const forgery = z.strictObject({
  key: token,
  at: isoTime,
  /** What it claimed to do. */
  claim: z.enum(['answer', 'cancel', 'release', 'widen', 'narrow', 'other']),
  id: questionId,
  stillWaits: z.boolean(),
  /** Where to look at it, if it still can be shown. */
  question: token.optional(),
});
export type Forgery = z.infer<typeof forgery>;

/** Host to webview: all there is to show. */
export const snapshot = z.strictObject({
  ...snapshotHead,
  limits: z.strictObject({ answer: z.int(), reason: z.int(), name: z.int() }),
  view,
  forgeries: z.array(forgery),
  /** For a page that has just begun: what an earlier one asked to keep. */
  kept: z.string().optional(),
  outcome: outcome.optional(),
  /** A new value asks once for keyboard focus (somebody opened the form on purpose). */
  focus: token.optional(),
});
export type Snapshot = z.infer<typeof snapshot>;

// Webview to host

export const questionMessage = z.discriminatedUnion('type', [
  readyMessage,
  keepMessage,

  z
    .strictObject({
      type: z.literal('answer'),
      ...actMark,
      choices: z.array(label).max(limits.choices),
      text: trimmed(limits.answerText),
      /** As the form showed it; left out where it showed none. */
      effect: answerEffect.optional(),
      /** The second step was made. */
      confirmed: z.boolean(),
    })
    .refine((message) => message.choices.length > 0 || message.text !== '', 'choose one, or write an answer'),
  z.strictObject({
    type: z.literal('cancel'),
    ...actMark,
    reason,
    confirmed: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('release'),
    ...actMark,
    note: reason,
    confirmed: z.boolean(),
  }),

  /** Every file of the workspace is held until it is decided; or again what was named. */
  z.strictObject({ type: z.literal('holdAll'), ...actMark }),
  z.strictObject({ type: z.literal('holdNamed'), ...actMark }),

  /** Not to be given again. What it let go stays let go. */
  z.strictObject({
    type: z.literal('revoke'),
    ...actMark,
    reason,
    confirmed: z.boolean(),
  }),

  /** What the answer refused may be done. */
  z.strictObject({
    type: z.literal('lift'),
    ...actMark,
    reason,
    confirmed: z.boolean(),
  }),

  releaseAllMessage,
  policyMessage,

  requestMessage,
  askMessage,
  appointMessage,

  enrolMessage,
  keysMessage,
  recoverMessage,

  // Harmless ones
  z.strictObject({ type: z.literal('select'), key: token }),
  /** From a form about more than one question, back to where the reader was. */
  z.strictObject({ type: z.literal('back') }),
  openFileMessage,
  copyLinkMessage,
  ...keyMessages,
  /** A draft that can no longer be sent. */
  z.strictObject({ type: z.literal('copyText'), text: z.string().min(1).max(limits.otherText) }),
  z.strictObject({ type: z.literal('dismissForgery'), key: token }),
  z.strictObject({ type: z.literal('do'), action: harmlessAction }),
]);
export type QuestionMessage = z.infer<typeof questionMessage>;
/** The messages that decide: by trusted event only, and once. */
export type Decision = Extract<QuestionMessage, { act: string }>;
