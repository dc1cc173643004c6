/**
 * What pages send to their host, which trusts none of it: each message is checked strictly. Those that decide carry a
 * hash of what was on the screen (`shown`), the rendering (`render`) and an idempotency key (`act`), so that a decision is
 * tied to exactly what the human saw, and is done once even if it is sent twice.
 */
import * as z from 'zod';
import { limits } from '../../core/kit/limits.ts';

export const token = z.string().min(1).max(200);
export const label = z.string().min(1).max(limits.title);
export const isoTime = z.iso.datetime();
export const trimmed = (max: number) => z.string().trim().max(max);

/** A human's reason or note to an agent. */
export const reason = trimmed(limits.otherText).min(1);

/** Fields of every act. */
export const actMark = { act: token, key: token, shown: token, render: token, name: trimmed(limits.id).optional() };

const filePath = z.string().min(1).max(limits.path);
const harmlessAction = z.enum(['openFolder', 'manageTrust', 'reloadWindow']);

/** Of every page: it is ready for its first snapshot, or needs help. */
export const pageMessages = [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('do'), action: harmlessAction }),
] as const;

/** Drafts and expanded sections, as text that only the page reads. */
export const keepMessage = z.strictObject({ type: z.literal('keep'), saved: z.string().max(2_000_000) });

export const openFileMessage = z.strictObject({
  type: z.literal('openFile'),
  key: token,
  path: filePath,
  line: z.int().min(1).optional(),
});

export const openFormMessage = z.strictObject({ type: z.literal('openForm'), key: token });

/** Of the form of a question and the review of an RFC. Only the last decides: it accepts changes of a held file, or of all. */
export const itemMessages = [
  keepMessage,
  openFileMessage,
  /** Opens the item's page in the browser, where a passkey signs. */
  z.strictObject({ type: z.literal('openInBrowser'), key: token }),
  z.strictObject({ type: z.literal('copyLink'), key: token }),
  /** A held file as it was when the hold began, compared with the present one. */
  z.strictObject({ type: z.literal('compareHeld'), key: token, path: filePath }),
  /** Puts a held file back. Releases nothing, so it takes no signature. */
  z.strictObject({ type: z.literal('restoreHeld'), key: token, path: filePath }),
  /** Holds every file of the workspace until it is decided, or goes back to the named files. */
  z.strictObject({ type: z.literal('holdAll'), ...actMark }),
  z.strictObject({ type: z.literal('holdNamed'), ...actMark }),
  z.strictObject({ type: z.literal('acceptChanges'), ...actMark, path: filePath.optional() }),
] as const;
