/**
 * What an agent's context was when it began to wait for a human, as development versions recorded it. It is history only:
 * nothing reads it, and nothing writes it any more.
 */
import * as z from 'zod';
import { questionId, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { record } from './parts.ts';
import { rfcId } from './rfcWords.ts';

const contextLimits = {
  tokens: 100_000_000,
  cacheSeconds: 86_400,
  agoMs: 3_600_000,
  forMs: 86_400_000,
} as const;

const tokens = () => z.int().min(0).max(contextLimits.tokens);

const contextUse = () => ({
  /** Tokens of the whole context. */
  tokens: tokens(),
  /** Of these, how many the next call can read from the cache, as far as the host says. */
  cached: tokens().optional(),
  /** How long the cache lasts after its last use, if the host says. */
  cacheSeconds: z.int().min(1).max(contextLimits.cacheSeconds).optional(),
  model: textField(limits.id).optional(),
});

const waitedFor = z.union([questionId, rfcId]);

export const waitNoteRecords = [
  record('wait.noted', () => ({
    id: waitedFor,
    /** Further questions and RFCs that the same call waits for. */
    also: z.array(waitedFor).min(1).max(limits.listItems).optional(),
    /** Milliseconds between the last use of the model and the time of this record. */
    usedAgoMs: z.int().min(0).max(contextLimits.agoMs),
    /** Milliseconds that the call may wait; none where the agent ends its turn. */
    forMs: z.int().min(0).max(contextLimits.forMs).optional(),
    ...contextUse(),
  })),
] as const;
