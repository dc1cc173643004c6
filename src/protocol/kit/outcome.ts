/** What the host answers on every surface: what became of an act, and why there is nothing to show. */
import * as z from 'zod';
import { label, sentence, token } from './shared.ts';

/** The things a page can offer that help and change nothing of a workspace. */
export const harmlessAction = z.enum(['openFolder', 'manageTrust', 'reloadWindow']);

/** There is no store to look at, or not one this version may read. */
export const unavailableView = z.strictObject({
  type: z.literal('unavailable'),
  title: label,
  /** What, why, what to do. */
  text: sentence,
  /** The one harmless thing that helps, if there is one. */
  action: harmlessAction.optional(),
});
export type UnavailableView = z.infer<typeof unavailableView>;

/** What became of an act. Sent at least once for every act, so that a form never waits for ever. */
export const outcome = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('done'), act: token, text: sentence.optional() }),
  z.strictObject({
    type: z.literal('refused'),
    act: token,
    /**
     * conflict: somebody else was first (the view shows their answer); changed: what was shown is no longer what
     * is; invalid: a field is wrong; failed: it could not be done now, trying again may help.
     */
    reason: z.enum(['conflict', 'changed', 'notFound', 'invalid', 'failed']),
    /** What, why, what to do: one sentence. */
    text: sentence,
  }),
]);
export type Outcome = z.infer<typeof outcome>;
