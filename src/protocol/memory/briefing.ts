/**
 * The view "Briefing": all messages between its host and its webview. As in the view "Answer" (question.ts):
 * whole snapshots one way, messages the other; signed ones carry a hash of what was shown, the rendering and the act's id.
 */
import * as z from 'zod';
import { eventPriority, eventStatus, eventType, limits } from '../../core/kit/words.ts';
import { actMark, keepMessage, openFileMessage, readyMessage, reason } from '../kit/messages.ts';
import { outcome, unavailableView } from '../kit/outcome.ts';
import {
  fileRef,
  imported,
  isoTime,
  label,
  longText,
  renderMark,
  sentence,
  signer,
  snapshotHead,
  token,
} from '../kit/shared.ts';

const eventId = z.string().min(1).max(limits.id);

/** An agent's proposal to close a human's event. */
const proposal = z.strictObject({
  agent: label,
  at: isoTime,
  how: z.enum(['resolved', 'superseded']),
  reason: longText.optional(),
  by: eventId.optional(),
});

const link = z.strictObject({ id: eventId, status: eventStatus, text: sentence });

export const eventView = z.strictObject({
  key: token,
  /** Hash of exactly what is shown; decisions return it. */
  shown: token,
  /** For people: E-140. */
  id: eventId,
  type: eventType,
  priority: eventPriority,
  status: eventStatus,
  /** Its first line, without Markdown syntax. */
  title: sentence,
  /** Markdown, as it was posted. */
  text: z.string().min(1).max(limits.otherText),
  scopes: z.array(fileRef),
  author: label,
  human: z.boolean(),
  at: isoTime,
  /** For imported events: the program, the file and the id there. Not verified. */
  imported: imported.optional(),
  /** When and why it was closed, or what superseded it. */
  closed: z
    .strictObject({ at: isoTime, by: label, reason: longText.optional(), successor: eventId.optional() })
    .optional(),
  /** The events it replaced and those that replaced it: each branch oldest first. */
  lineage: z.array(z.array(link)),
  proposal: proposal.optional(),
});
export type EventView = z.infer<typeof eventView>;

/** A question or RFC that holds something, or a decision that no agent has picked up. */
const waitingItem = z.strictObject({
  key: token,
  id: eventId,
  text: sentence,
  agent: label,
  /** The person or responsibility that it is for. */
  for: label.optional(),
  since: isoTime,
  holdsWork: z.int().min(0),
  /** The human who extended it to every file of the workspace. */
  allFilesBy: label.optional(),
  holdsFocus: z.boolean(),
  /** Not submitted yet. */
  draft: z.literal(true).optional(),
  /** A human's decision since `since` that the agent has not picked up. */
  answer: z
    .string()
    .max(limits.title + 1)
    .optional(),
});
export type WaitingView = z.infer<typeof waitingItem>;

/** Two active decisions on the same scope. */
const conflict = z.strictObject({
  key: token,
  scope: z.string().min(1).max(limits.path),
  decisions: z.array(z.strictObject({ id: eventId, title: sentence })).length(2),
});
export type ConflictView = z.infer<typeof conflict>;

const group = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), more: z.int().min(0) });
export interface GroupOf<T> {
  readonly items: readonly T[];
  readonly more: number;
}
const events = group(eventView);

export const briefingView = z.strictObject({
  type: z.literal('briefing'),
  /** The focus of the view, and the target of new events. */
  ...renderMark,
  /** The workspace folder, when the window has several. */
  folder: label.optional(),
  /** Workspace-relative; absent: the whole project. */
  focus: z.string().min(1).max(limits.path).optional(),
  /** Why it does not follow the editor. */
  note: sentence.optional(),
  pinned: z.boolean(),
  project: label,
  proposals: z.array(eventView),
  critical: events,
  waiting: group(waitingItem),
  conflicts: group(conflict),
  relevant: z.record(eventType, events),
  other: events,
  resolved: events,
  /** How many events are hidden because nothing has mentioned them for long. */
  aged: z.int().min(0),
  answersAs: signer,
  /** Why nothing can be signed here now. */
  locked: sentence.optional(),
  /** This editor's key is not trusted yet: where it can be added. */
  stranger: z.boolean(),
});
export type BriefingView = z.infer<typeof briefingView>;

/** Initial values of the form for a new event. A new token opens it once. */
export const compose = z.strictObject({
  token,
  type: eventType.optional(),
  scopes: z.array(z.string().min(1).max(limits.path)).max(limits.listItems),
  text: longText,
});
export type Compose = z.infer<typeof compose>;

/** Host to webview: the whole view. */
export const briefingSnapshot = z.strictObject({
  ...snapshotHead,
  limits: z.strictObject({ text: z.int(), scopes: z.int() }),
  view: z.discriminatedUnion('type', [briefingView, unavailableView]),
  /** For a page that has just started: what its predecessor asked to keep. */
  kept: z.string().optional(),
  outcome: outcome.optional(),
  compose: compose.optional(),
  /** An event to expand and reveal; a new token does so once. */
  reveal: z.strictObject({ token, id: eventId }).optional(),
});
export type BriefingSnapshot = z.infer<typeof briefingSnapshot>;

// Webview to host

export const briefingMessage = z.discriminatedUnion('type', [
  readyMessage,
  keepMessage,

  z.strictObject({
    type: z.literal('post'),
    ...actMark,
    event: eventType,
    priority: eventPriority,
    scopes: z.array(z.string().trim().min(1).max(limits.path)).max(limits.listItems),
    text: reason,
  }),
  z.strictObject({ type: z.literal('resolve'), ...actMark, reason }),
  z.strictObject({ type: z.literal('supersede'), ...actMark, by: eventId }),
  /** Replaces it with a new event, posted in the same act. */
  z.strictObject({ type: z.literal('replace'), ...actMark, text: reason }),
  z.strictObject({ type: z.literal('accept'), ...actMark }),
  z.strictObject({ type: z.literal('decline'), ...actMark }),

  // Messages that change nothing
  z.strictObject({ type: z.literal('pin'), on: z.boolean() }),
  openFileMessage,
  /** Opens the form of a waiting item. */
  z.strictObject({ type: z.literal('openForm'), key: token }),
  /** Opens the form that lets this editor sign. */
  z.strictObject({ type: z.literal('enrol'), key: token }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type BriefingMessage = z.infer<typeof briefingMessage>;
/** Messages that are signed: accepted once, and only from a trusted event. */
export type BriefingAct = Extract<BriefingMessage, { act: string }>;
