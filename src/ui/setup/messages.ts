/** Messages of the page "Set up agents". Its buttons change the user's files but decide nothing about holds. */
import * as z from 'zod';
import { hostNames } from '../../core/kit/limits.ts';
import { pageMessages, token } from '../kit/messages.ts';

const setupHost = z.enum([...hostNames, 'git']);
export type SetupHost = z.infer<typeof setupHost>;

export const setupMessage = z.discriminatedUnion('type', [
  ...pageMessages,
  z.strictObject({ type: z.literal('folder'), key: token }),
  /** Runs the canaries again. */
  z.strictObject({ type: z.literal('check') }),
  z.strictObject({
    type: z.literal('act'),
    hosts: z
      .array(setupHost)
      .min(1)
      .max(hostNames.length + 1),
    act: z.enum(['add', 'remove']),
    shown: token,
    render: token,
  }),
]);
export type SetupMessage = z.infer<typeof setupMessage>;
