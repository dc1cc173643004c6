/**
 * Forms of the view "Answer" about requests: answering one in a human's inbox, creating one, and appointing stewards
 * and humans.
 */
import * as z from 'zod';
import { shownPayloadLength } from '../../core/kit/payload.ts';
import {
  appointedKind,
  requestId,
  requestPriority,
  requestStatus,
  requestType,
  responsibilityId,
  responsibilityKind,
  stewardStep,
} from '../../core/records/requestWords.ts';
import { limits } from '../../core/kit/words.ts';
import { actMark, trimmed } from '../kit/messages.ts';
import { fileRef, isoTime, label, longText, renderMark, sentence, signer, token } from '../kit/shared.ts';

/** The acts on a request; the host sends those that are available. */
export const requestAction = z.enum([
  'accept',
  'ack_context_relevant',
  'defer',
  'reject',
  'not_relevant',
  'complete',
  'cancel',
  ...stewardStep.options,
]);
export type RequestAction = z.infer<typeof requestAction>;

export const requestView = z.strictObject({
  type: z.literal('request'),
  ...renderMark,
  /** For people: R-7. */
  id: label,
  folder: label.optional(),
  kind: requestType,
  status: requestStatus,
  origin: label,
  target: label,
  subject: label,
  /** Markdown, as it was written. */
  summary: longText,
  suggested: z.array(longText),
  bundles: z.array(label),
  objectives: z.array(longText),
  files: z.array(fileRef),
  /** URLs and other texts: shown, not opened. */
  links: z.array(longText),
  tags: z.array(label),
  /** JSON that an integration attached. */
  payload: z.string().max(shownPayloadLength).optional(),
  work: z.array(label),
  /** A steward's steps, if there are any. */
  steps: z.array(z.strictObject({ step: stewardStep, done: z.boolean() })),
  createdAt: isoTime,
  availableAt: isoTime.optional(),
  dueAt: isoTime.optional(),
  overdue: z.boolean(),
  /** The note of its last change. */
  note: longText.optional(),
  /** Empty if there is nothing left to decide. */
  actions: z.array(requestAction),
  answersAs: signer,
  locked: sentence.optional(),
  history: z.array(z.strictObject({ at: isoTime, text: sentence })),
});
export type RequestView = z.infer<typeof requestView>;

/** The responsibilities of this workspace, and the form to appoint one. */
export const appointView = z.strictObject({
  type: z.literal('appoint'),
  ...renderMark,
  folder: label.optional(),
  known: z.array(z.strictObject({ id: label, kind: responsibilityKind, name: label, agents: z.array(label) })),
  answersAs: signer,
  locked: sentence.optional(),
});
export type AppointView = z.infer<typeof appointView>;

const party = z.strictObject({ id: responsibilityId, kind: responsibilityKind, name: label });

/** A new request: possible senders and recipients, and what a human steward still has to pass on. */
export const askView = z.strictObject({
  type: z.literal('ask'),
  ...renderMark,
  folder: label.optional(),
  /** Possible senders: humans and stewards. */
  origins: z.array(party),
  targets: z.array(party),
  /** Ingestions that a steward has accepted, normalised and added to the lineage. */
  ingestions: z.array(
    z.strictObject({ id: requestId, steward: responsibilityId, subject: label, bundles: z.array(label) }),
  ),
  /** The form for appointing one. */
  appoint: token,
  answersAs: signer,
  locked: sentence.optional(),
});
export type AskView = z.infer<typeof askView>;

export const requestMessage = z.strictObject({
  type: z.literal('request'),
  ...actMark,
  action: requestAction,
  note: trimmed(limits.otherText),
  /** Deferred until then. */
  until: isoTime.optional(),
});

export const appointMessage = z.strictObject({
  type: z.literal('appoint'),
  ...actMark,
  id: trimmed(limits.id).min(1),
  kind: appointedKind,
  called: trimmed(limits.title).min(1),
  agents: z.array(trimmed(limits.id).min(1)).max(limits.listItems),
  confirmed: z.boolean(),
});

const texts = (max: number) => z.array(trimmed(max).min(1)).max(limits.listItems);

export const askMessage = z.strictObject({
  type: z.literal('ask'),
  ...actMark,
  kind: requestType,
  origin: responsibilityId,
  target: responsibilityId,
  subject: trimmed(limits.title).min(1),
  summary: trimmed(limits.otherText).min(1),
  suggested: texts(limits.otherText),
  links: texts(limits.title),
  tags: texts(limits.title),
  /** Both empty for kinds that are not about context. */
  bundles: texts(limits.title),
  objectives: texts(limits.otherText),
  ingestion: requestId.optional(),
  priority: requestPriority,
  availableAt: isoTime.optional(),
  dueAt: isoTime.optional(),
  responseSeconds: z.int().min(1).optional(),
  completionSeconds: z.int().min(1).optional(),
});
export type RequestMessage = z.infer<typeof requestMessage>;
export type AppointMessage = z.infer<typeof appointMessage>;
export type AskMessage = z.infer<typeof askMessage>;
