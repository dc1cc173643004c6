/** Messages, and parts of them, that the pages of more than one surface send. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { renderMark, token } from './shared.ts';

export const trimmed = (max: number) => z.string().trim().max(max);

/** Why a human did it, or what they say to an agent. */
export const reason = trimmed(limits.otherText).min(1);

/** What every act carries. `act` names it: the same act sent again is the same act. */
export const actMark = { act: token, ...renderMark, name: trimmed(limits.id).optional() };

/** The page runs and needs its first snapshot. */
export const readyMessage = z.strictObject({ type: z.literal('ready') });

/** Drafts and what is unfolded, as text only the page reads. */
export const keepMessage = z.strictObject({ type: z.literal('keep'), saved: z.string().max(2_000_000) });

export const openFileMessage = z.strictObject({
  type: z.literal('openFile'),
  key: token,
  path: z.string().min(1).max(limits.path),
  line: z.int().min(1).optional(),
});

export const copyLinkMessage = z.strictObject({ type: z.literal('copyLink'), key: token });
