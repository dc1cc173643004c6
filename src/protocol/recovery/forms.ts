/** The form for a store whose holds cannot be computed: the fault and the recovery options. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { actMark } from '../kit/messages.ts';
import { isoTime, label, longText, renderMark, sentence, signer } from '../kit/shared.ts';

/** What a human has to confirm before something is permanently lost. */
export const confirmation = z.discriminatedUnion('type', [
  /** Tick a box beside this sentence. */
  z.strictObject({ type: z.literal('tick'), text: sentence }),
  /** Type this word. */
  z.strictObject({ type: z.literal('word'), word: label }),
]);

export type Confirmation = z.infer<typeof confirmation>;

const unavailableWay = z.strictObject({ type: z.literal('unavailable'), why: sentence });

/** An available recovery option, with what it loses. */
const way = { type: z.literal('available'), loses: sentence, confirm: confirmation };

/** The store is in state UNKNOWN: all agents are stopped until a human chooses a recovery option. */
export const recoveryView = z.strictObject({
  type: z.literal('recovery'),
  ...renderMark,
  folder: label.optional(),
  /** The fault, in one sentence. */
  problem: sentence,
  /** Technical details, collapsed. */
  detail: longText.optional(),
  restore: z.discriminatedUnion('type', [z.strictObject({ ...way, copyFrom: isoTime }), unavailableWay]),
  setAside: z.discriminatedUnion('type', [z.strictObject({ ...way, line: sentence }), unavailableWay]),
  startAnew: z.discriminatedUnion('type', [z.strictObject(way), unavailableWay]),
  answersAs: signer,
});
export type RecoveryView = z.infer<typeof recoveryView>;
export type RecoveryWay = 'restore' | 'setAside' | 'startAnew';

export const recoverMessage = z.strictObject({
  type: z.literal('recover'),
  ...actMark,
  way: z.enum(['restore', 'setAside', 'startAnew']),
  /** The ticked sentence or the typed word. */
  confirmation: z.string().min(1).max(limits.otherText),
});
export type RecoverMessage = z.infer<typeof recoverMessage>;
