/**
 * The view "Answer": all messages between its host and its webview.
 *
 * The host only sends whole {@link Snapshot}s: the next one contains whatever the webview missed while it was hidden.
 * The webview sends messages; those that decide carry a hash of what was on the screen (`shown`), the rendering
 * (`render`) and an idempotency key (`act`), so that a decision is tied to exactly what the human saw, and is done
 * once even if it is sent twice.
 */
import * as z from 'zod';
import { evidencePart } from '../../core/question/evidence.ts';
import type { EvidencePart } from '../../core/question/evidence.ts';
import { shownPayloadLength } from '../../core/kit/payload.ts';
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
import { acceptChangesMessage, compareHeldMessage, heldChanges, restoreHeldMessage } from '../kit/heldChanges.ts';
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
import { people } from '../kit/people.ts';
import { harmlessAction, outcome, unavailableView } from '../kit/outcome.ts';
import { appointMessage, appointView, askMessage, askView, requestMessage, requestView } from '../request/forms.ts';
import { enrolMessage, enrolView, keysMessage, keysView, keyMessages } from '../keys/forms.ts';
import { recoverMessage, recoveryView } from '../recovery/forms.ts';
import { connectTeamMessage, leaveMessage, leaveView, shareMessage, shareView } from '../team/forms.ts';
import { queueMessages, queueState } from './queue.ts';
import {
  deleteWorkMessage,
  policyMessage,
  policyView,
  releaseAllMessage,
  releaseAllView,
  workView,
} from '../workspace/forms.ts';
import { assumptionsView, confirmAssumptionsMessage } from './assumptions.ts';
import { choice } from './choice.ts';
import type { Choice } from './choice.ts';
import { answerTogetherMessage, togetherView } from './together.ts';

export { choice };
export type { AnswerEffect, Choice, EvidencePart };

const questionId = z.string().min(1).max(limits.id);

// A question

/** Whether the agent has the answer: `waiting` until it has acknowledged it, not just been offered it. */
export const delivery = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('waiting'), agent: label }),
  z.strictObject({ type: z.literal('received'), agent: label, at: isoTime }),
]);
export type Delivery = z.infer<typeof delivery>;

const resolved = {
  by: person,
  at: isoTime,
  /** The passkey that signed it, as its human calls it. */
  passkey: label.optional(),
  delivery: delivery.optional(),
};

/** The status of the question. All but `pending` are final. */
export const resolution = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pending') }),
  z.strictObject({
    type: z.literal('answered'),
    choices: z.array(label),
    text: longText,
    ...resolved,
    /** Agents that asked the same and got this answer; the latest first. `count` can exceed the number named. */
    again: z
      .strictObject({ count: z.int().min(1), named: z.array(z.strictObject({ agent: label, at: isoTime })) })
      .optional(),
    /** A human revoked it for reuse. */
    revoked: z.strictObject({ by: person, at: isoTime, reason: longText }).optional(),
    /** It would be reused; the form then offers to end that. */
    revocable: z.boolean(),
    /** Its effect on the work. */
    effect: answerEffect,
    /** The other questions that the same act answered. */
    with: z
      .array(z.strictObject({ key: token, id: questionId }))
      .min(1)
      .optional(),
    /** A human lifted the refusal. Until then the form of a refusal offers that. */
    lifted: z.strictObject({ by: person, at: isoTime, reason: longText }).optional(),
  }),
  z.strictObject({ type: z.literal('cancelled'), reason: longText, ...resolved }),
  z.strictObject({ type: z.literal('released'), note: longText, ...resolved }),
  z.strictObject({
    type: z.literal('expired'),
    at: isoTime,
    /** Work that failed for lack of an answer. */
    failed: z.array(workRef),
    /** Expiry releases nothing: true until a human releases it, which the form offers meanwhile. */
    held: z.boolean(),
  }),
]);
export type Resolution = z.infer<typeof resolution>;

/** How a parked agent is started again, or why it is not. `willStart`: by the policy. `chat`: the human sends the prompt. */
export const resume = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['willStart', 'canStart']), command: longText, folder: longText, again: z.boolean() }),
  z.strictObject({ type: z.literal('started'), command: longText, at: isoTime, terminal: label, here: z.boolean() }),
  z.strictObject({ type: z.enum(['running', 'elsewhere']), agent: label }),
  z.strictObject({ type: z.literal('missing'), agent: label, program: label }),
  z.strictObject({ type: z.literal('chat') }),
]);
export type Resume = z.infer<typeof resume>;

/** The form for one question: its nine parts, top to bottom. */
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
  /** A person or responsibility that should answer; everybody can. */
  for: label.optional(),
  raisedAt: isoTime,
  imported: imported.optional(),

  /** Markdown, as the agent wrote it. */
  text: z.string().min(1).max(limits.questionText),
  /** Markdown. */
  background: longText.optional(),
  impact: longText.optional(),
  ifDelayed: longText.optional(),
  /** JSON, indented. */
  payload: z.string().max(shownPayloadLength).optional(),

  blocks: z.strictObject({
    ...held,
    /** The agent does nothing else until then. */
    wholeSession: z.boolean(),
  }),
  files: z.array(fileRef),
  /** Markdown, one each. */
  alternatives: z.array(longText),
  snippet: z.strictObject({ text: longText, file: fileRef.optional() }).optional(),
  /** Async only: what the agent assumes. */
  assumption: z
    .strictObject({
      text: longText,
      /** The answer that confirms it, in words; absent where a yes is no answer, and once it is decided. */
      answer: sentence.optional(),
      /** Files changed since it asked: absent once it is decided. */
      touched: z
        .strictObject({
          /** Named by the agent's own records or commits. */
          byAgent: z.array(fileRef),
          /** Of its work, by anyone; null where that cannot be told. */
          inWork: z.array(fileRef).nullable(),
        })
        .optional(),
    })
    .optional(),

  choices: z.array(choice).max(limits.choices),
  multiple: z.boolean(),
  /** The text box. Always present without choices; with choices, `optional` allows adding a reason. */
  freeText: z.enum(['none', 'optional', 'required']),

  /** What humans asked the agent back, oldest first; both texts are Markdown. */
  thread: z.array(
    z.strictObject({
      text: longText,
      by: person,
      at: isoTime,
      reply: z.strictObject({ text: longText, agent: label, at: isoTime }).optional(),
    }),
  ),
  /** The resume brief of an agent that stopped waiting, while the question is undecided. */
  parked: z
    .strictObject({
      ...{ agent: label, at: isoTime, doing: longText, next: longText },
      files: z.array(z.string()),
      checkFirst: longText.optional(),
    })
    .optional(),
  /** Held files that have changed, which no human has accepted. */
  changes: heldChanges.optional(),
  /** What starts the parked agent again; only in the editor, until the agent continues. */
  resume: resume.optional(),
  /** Whether the agent can be asked back now. */
  askBack: z.boolean(),

  /** Present if the policy asks for certain people. */
  people: people.optional(),
  resolution,
  expiresAt: isoTime.optional(),
  /** Why nothing can be decided here now (a store only newer versions may write, …). The form is then read-only. */
  locked: sentence.optional(),
  /** Why only a passkey decides it: a button opens its page in the browser. */
  inBrowser: sentence.optional(),
  /** The form that lets this editor sign, where that is why it is locked. */
  enrol: token.optional(),
  /** Critical ones are decided in two steps, both inside the form. */
  secondStep: z.boolean(),
  answersAs: signer,
  /** Its history, oldest first. */
  history,

  /** Position among waiting items; absent once this one no longer waits. */
  position: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }).optional(),
  /** Opens the form that releases all questions of this agent; present if it has several open ones. */
  releaseAll: z.strictObject({ key: token, count: z.int().min(2) }).optional(),
  /** Opens the form that confirms the assumptions of all questions; present if there are several. */
  assumptions: z.strictObject({ key: token, count: z.int().min(2) }).optional(),
  /** Opens the form that answers this one and others of its shape; `count` is the number of the others. */
  together: z.strictObject({ key: token, count: z.int().min(1) }).optional(),
  /** Answers to similar questions, the most alike first; absent once this one is decided. */
  earlier: z
    .array(
      z.strictObject({
        ...{ key: token, id: questionId, text: sentence, answer: sentence, by: label, at: isoTime },
        /** Fills the form with this answer. */
        fill: z.strictObject({
          choices: z.array(label).max(limits.choices),
          text: longText,
          effect: answerEffect.optional(),
        }),
      }),
    )
    .optional(),
  next: z.strictObject({ key: token, id: questionId }).optional(),
});
export type QuestionForm = z.infer<typeof questionView>;

// Other contents of the view

/** Nothing waits, or a reader has gone through the queue: shows the current work. */
export const nothingView = z.strictObject({
  type: z.literal('nothing'),
  /** What was left undecided in the queue. */
  left: z.array(z.strictObject({ key: token, id: z.string().min(1).max(limits.id), title: label })),
  /** Waiting RFCs, which are reviewed in their own tabs. */
  rfcs: z.array(z.strictObject({ key: token, id: questionId, title: label })),
  /** Agents' proposals to close events, which are reviewed in the briefing. */
  proposals: z.array(z.strictObject({ key: token, id: questionId, title: label })),
  agents: z.array(z.strictObject({ agent: label, what: z.string().max(limits.otherText), since: isoTime })),
});
export type NothingView = z.infer<typeof nothingView>;

export const view = z.discriminatedUnion('type', [
  questionView,
  nothingView,
  policyView,
  releaseAllView,
  workView,
  assumptionsView,
  togetherView,
  requestView,
  askView,
  appointView,
  recoveryView,
  keysView,
  enrolView,
  shareView,
  leaveView,
  unavailableView,
]);
export type AnswerSnapshot = z.infer<typeof view>;

// Beside the view

/** Host to webview: the whole view. */
export const snapshot = z.strictObject({
  ...snapshotHead,
  limits: z.strictObject({ answer: z.int(), reason: z.int(), name: z.int() }),
  view,
  /** How many records were ignored, because no key that is trusted here signed them. */
  ignored: z.int().min(1).optional(),
  /** For a page that has just started: what its predecessor asked to keep. */
  kept: z.string().optional(),
  outcome: outcome.optional(),
  /** It is a tab of the editor, not the view. */
  tab: z.boolean().optional(),
  /** Other forms of the same tab. */
  sections: z
    .array(z.strictObject({ name: z.enum(['policy', 'keys', 'appoint', 'ask']), key: token, current: z.boolean() }))
    .optional(),
  /** The waiting items are shown one after another. */
  queue: queueState.optional(),
  /** A new value requests keyboard focus once (somebody opened the form on purpose). */
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
      /** As displayed; omitted if the form showed none. */
      effect: answerEffect.optional(),
      /** The second step was confirmed. */
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

  /** A question to the agent. Everything stays held, and the question open. */
  z.strictObject({ type: z.literal('askBack'), ...actMark, text: reason }),

  /** Holds every file of the workspace until it is decided, or goes back to the named files. */
  z.strictObject({ type: z.literal('holdAll'), ...actMark }),
  z.strictObject({ type: z.literal('holdNamed'), ...actMark }),

  acceptChangesMessage,

  /** The answer is not reused. Work that it released stays released. */
  z.strictObject({
    type: z.literal('revoke'),
    ...actMark,
    reason,
    confirmed: z.boolean(),
  }),

  /** Allows what the answer refused. */
  z.strictObject({
    type: z.literal('lift'),
    ...actMark,
    reason,
    confirmed: z.boolean(),
  }),

  releaseAllMessage,
  deleteWorkMessage,
  confirmAssumptionsMessage,
  answerTogetherMessage,
  policyMessage,

  requestMessage,
  askMessage,
  appointMessage,

  enrolMessage,
  keysMessage,
  shareMessage,
  leaveMessage,
  recoverMessage,

  // Messages that change nothing
  z.strictObject({ type: z.literal('select'), key: token }),
  /** Starts a parked agent whose question is decided, or shows its terminal. */
  z.strictObject({ type: z.literal('resume'), key: token }),
  /** The same form in a tab of the editor. */
  z.strictObject({ type: z.literal('openTab'), key: token }),
  /** From a form about several questions, back to the previous view. */
  z.strictObject({ type: z.literal('back') }),
  ...queueMessages,
  openFileMessage,
  openInBrowserMessage,
  /** A held file as it was when the hold began, compared with what it is now. */
  compareHeldMessage,
  /** Puts a held file back. Releases nothing, so it takes no signature. */
  restoreHeldMessage,
  /** A long text of the question as a document beside its form. */
  z.strictObject({ type: z.literal('openEvidence'), key: token, part: evidencePart }),
  copyLinkMessage,
  ...keyMessages,
  connectTeamMessage,
  /** A draft that can no longer be sent. */
  z.strictObject({ type: z.literal('copyText'), text: z.string().min(1).max(limits.otherText) }),
  z.strictObject({ type: z.literal('openAudit') }),
  z.strictObject({ type: z.literal('do'), action: harmlessAction }),
]);
export type QuestionMessage = z.infer<typeof questionMessage>;
/** Messages that decide: accepted once, and only from a trusted event. */
export type Decision = Extract<QuestionMessage, { act: string }>;
