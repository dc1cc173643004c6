/**
 * Records of project memory. Agents post and close their own events; a human's posting and closing are signed. An agent
 * can only propose to close a human's event.
 */
import * as z from 'zod';
import { workspacePath, eventId, otherText, sha256Hex } from '../kit/fields.ts';
import { envelope, list, record } from './parts.ts';
import { eventPriority, eventType } from '../kit/words.ts';

/** Content is 1..10,000 characters. Scopes are paths it applies to; none means everywhere. */
const content = {
  type: eventType,
  text: otherText,
  priority: eventPriority.default('normal'),
  scopes: list(workspacePath),
  related: list(eventId),
};

/** `resolved` needs a reason; `superseded` needs `by`, the successor. */
const closing = {
  id: eventId,
  how: z.enum(['resolved', 'superseded']),
  reason: otherText.optional(),
  by: eventId.optional(),
};

/**
 * Hash of everything posted (see `postedContent`): the state keeps no texts, so a decision names its subject by hash.
 */
const decided = { content: sha256Hex, envelope };

const posted = record('event.posted', () => ({ id: eventId, ...content }));
const closed = record('event.closed', () => closing);
const closeProposed = record('event.closeProposed', () => closing);
const postedByHuman = record('event.postedByHuman', () => ({ id: eventId, ...content, envelope }));
const closedByHuman = record('event.closedByHuman', () => ({ ...closing, ...decided }));
/** A proposal is accepted by the signed closing itself. */
const proposalDeclined = record('event.proposalDeclined', () => ({
  id: eventId,
  reason: otherText.optional(),
  ...decided,
}));

export const eventRecords = [posted, closed, closeProposed, postedByHuman, closedByHuman, proposalDeclined] as const;
export type EventPosted = z.infer<(typeof posted)['schema']>;
export type EventClosed = z.infer<(typeof closed)['schema']>;
export type EventRecord = z.infer<(typeof eventRecords)[number]['schema']>;
export type SignedEventRecord = z.infer<
  (typeof postedByHuman | typeof closedByHuman | typeof proposalDeclined)['schema']
>;
