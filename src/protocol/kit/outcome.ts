/** The host's replies on every surface: the outcome of an act, and why a view is unavailable. */
import * as z from 'zod';
import { label, sentence, token } from './shared.ts';

/** Helpful actions that change nothing in a workspace. */
export const harmlessAction = z.enum(['openFolder', 'manageTrust', 'reloadWindow']);

/** There is no store, or none that this version can read. */
export const unavailableView = z.strictObject({
  type: z.literal('unavailable'),
  title: label,
  /** What happened, why, and what to do. */
  text: sentence,
  /** The action that helps, if there is one. */
  action: harmlessAction.optional(),
  /** What to select for the recovery options, where these are not the first thing to try. */
  recovery: token.optional(),
});
export type UnavailableView = z.infer<typeof unavailableView>;

/** The outcome of an act. Sent at least once for every act, so that no form waits forever. */
export const outcome = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('done'), act: token, text: sentence.optional() }),
  z.strictObject({
    type: z.literal('refused'),
    act: token,
    /**
     * conflict: somebody else was first (the view shows their answer); changed: the displayed content is outdated;
     * invalid: a field is wrong; failed: it could not be done now, and trying again may help.
     */
    reason: z.enum(['conflict', 'changed', 'notFound', 'invalid', 'failed']),
    /** One sentence: what happened, why, and what to do. */
    text: sentence,
  }),
]);
export type Outcome = z.infer<typeof outcome>;
