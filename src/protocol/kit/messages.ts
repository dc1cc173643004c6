/** Messages, and parts of them, that several surfaces send. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { renderMark, token } from './shared.ts';

export const trimmed = (max: number) => z.string().trim().max(max);

/** A human's reason or note to an agent. */
export const reason = trimmed(limits.otherText).min(1);

/** Fields of every act. `act` is its idempotency key. */
export const actMark = { act: token, ...renderMark, name: trimmed(limits.id).optional() };

/** The page is ready for its first snapshot. */
export const readyMessage = z.strictObject({ type: z.literal('ready') });

/** Drafts and expanded sections, as text that only the page reads. */
export const keepMessage = z.strictObject({ type: z.literal('keep'), saved: z.string().max(2_000_000) });

export const openFileMessage = z.strictObject({
  type: z.literal('openFile'),
  key: token,
  path: z.string().min(1).max(limits.path),
  line: z.int().min(1).optional(),
});

/** Opens the item's page in the browser, where a passkey signs. */
export const openInBrowserMessage = z.strictObject({ type: z.literal('openInBrowser'), key: token });

export const copyLinkMessage = z.strictObject({ type: z.literal('copyLink'), key: token });
