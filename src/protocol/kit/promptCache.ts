/** Until when the prompt cache of a waiting agent lasts. */
import * as z from 'zod';
import { isoTime } from './shared.ts';

/** `tokens`: of the whole context. */
export const promptCache = z.strictObject({ expiresAt: isoTime, tokens: z.int() });
export type PromptCache = z.infer<typeof promptCache>;
