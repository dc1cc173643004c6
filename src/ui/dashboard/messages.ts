/** Messages of the dashboard and of the audit trail. Both only show and open items; a click exports the audit. */
import * as z from 'zod';
import { limits } from '../../core/kit/limits.ts';
import { label, pageMessages, token } from '../kit/messages.ts';

/** A folder's path. */
const folder = z
  .string()
  .min(1)
  .max(4 * limits.path);

export const dashboardMessage = z.discriminatedUnion('type', [
  ...pageMessages,
  z.strictObject({ type: z.literal('folder'), key: token }),
  /** A question's form, an RFC's review. */
  z.strictObject({ type: z.literal('open'), id: label }),
  z.strictObject({ type: z.literal('work'), id: label }),
  /** The form that releases all questions of an agent. */
  z.strictObject({ type: z.literal('releaseAll'), agent: label }),
  /** Opens another folder at an item; takes a missing folder off the list. */
  z.strictObject({ type: z.literal('other'), folder, id: label.nullable() }),
  z.strictObject({ type: z.literal('removeOther'), folder }),
]);
export type DashboardMessage = z.infer<typeof dashboardMessage>;

const auditFilter = z.strictObject({
  /** Which acts: decisions and attempts, only attempts, or also those of agents and timers. */
  scope: z.enum(['decisions', 'attempts', 'all']),
  /** Case-insensitive search in the actor, the item and the text. */
  text: z.string().max(limits.title),
  /** One hold or one work item. */
  about: z.string().max(limits.title).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), filter: auditFilter.optional() }),
  pageMessages[1],
  z.strictObject({ type: z.literal('filter'), filter: auditFilter }),
  z.strictObject({ type: z.literal('more') }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  z.strictObject({ type: z.literal('open'), key: token }),
  z.strictObject({ type: z.literal('again') }),
  /** A human's act: their key seals the export. */
  z.strictObject({ type: z.literal('export'), shown: token }),
]);
export type AuditMessage = z.infer<typeof auditMessage>;
