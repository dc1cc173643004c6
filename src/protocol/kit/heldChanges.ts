/** Held files that have changed, in the form of the question or the review of the RFC that holds them. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { actMark } from './messages.ts';
import { isoTime, longText, token } from './shared.ts';

const changedPath = z.string().min(1).max(limits.path);

/** Changes that no human has accepted. */
export const heldChanges = z.strictObject({
  files: z.array(
    z.strictObject({
      path: changedPath,
      how: z.enum(['changed', 'added', 'removed']),
      at: isoTime,
      /** What ran meanwhile; absent if no call that a hook saw. */
      call: longText.optional(),
      /** Its content is that of the baseline again. */
      same: z.boolean(),
      /** In the files of a teammate's machine: only there it can be compared and restored. */
      elsewhere: z.literal(true).optional(),
    }),
  ),
  /** It is not known what changed. */
  lost: z.boolean(),
  /** They can be restored and accepted here. */
  here: z.boolean(),
  /** They can be compared here. */
  compare: z.boolean(),
});
export type HeldChangesView = z.infer<typeof heldChanges>;

/** Accepts changes of held files: of one file, or all that are shown. */
export const acceptChangesMessage = z.strictObject({
  type: z.literal('acceptChanges'),
  ...actMark,
  path: changedPath.optional(),
});

/** Messages that decide nothing. */
export const compareHeldMessage = z.strictObject({ type: z.literal('compareHeld'), key: token, path: changedPath });
export const restoreHeldMessage = z.strictObject({ type: z.literal('restoreHeld'), key: token, path: changedPath });
export type HeldFileMessage = z.infer<typeof compareHeldMessage> | z.infer<typeof restoreHeldMessage>;
