/**
 * "Hold every file of this workspace until this is decided": a human's signed word on a question or RFC that holds, and
 * its way back to what agents named. Agents can do neither: their globs never reach the whole (glob.ts).
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';
import { rfcId } from './rfcWords.ts';
import { questionId } from '../kit/text.ts';

const holderId = z.union([questionId, rfcId]);

/** What a human signs. Both carry an envelope: narrowing lets files go. */
export const wideningRecords = [
  record('hold.widened', () => ({ id: holderId, envelope })),
  record('hold.narrowed', () => ({ id: holderId, envelope })),
] as const;
export type WideningRecord = z.infer<(typeof wideningRecords)[number]['schema']>;

export function isWideningRecord<R extends { readonly kind: string }>(record: R): record is Extract<R, WideningRecord> {
  return record.kind === 'hold.widened' || record.kind === 'hold.narrowed';
}

/**
 * Written into the workspace before its first widening: to an earlier program these records say nothing, and it would let
 * go on what is held.
 */
export const wideningFormat = 3;

/** Who widened a hold, and when. Over with the hold itself. */
export interface Widening {
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
}

/** What a widened hold holds. */
export const everything: readonly string[] = ['**'];

/** A member for what is shown and signed. What was signed before there were widenings must hash as it did then. */
export function shownWidening({ widened }: { readonly widened: Widening | null }): { readonly widened?: Widening } {
  return widened === null ? {} : { widened };
}

/** The same for lists and tools: who has it hold every file, and since when; null where it holds what was named. */
export function allFiles({ widened }: { readonly widened: Widening | null }): AllFiles | null {
  return widened && { by: widened.by, at: widened.at };
}
export type AllFiles = Pick<Widening, 'by' | 'at'>;
