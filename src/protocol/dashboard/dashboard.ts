/** Messages of the dashboard: an editor tab with four views of one workspace folder. It shows and opens; it decides nothing. */
import * as z from 'zod';
import { urgency, workKind } from '../../core/kit/words.ts';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, isoTime, label, sentence, snapshotHead, token } from '../kit/shared.ts';

export const dashboardTab = z.enum(['impact', 'agents', 'steward', 'humans']);
export type DashboardTab = z.infer<typeof dashboardTab>;

const count = z.int().min(0);
const ms = z.number().min(0);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const name = z.string().min(1).max(500);

/** What can be opened: a question's form, an RFC's review. */
const opened = { key: token, id: label, name };

export const impactView = z.strictObject({
  tab: z.literal('impact'),
  workflows: count,
  tasks: count,
  /** What holds most first. */
  holders: z.array(
    z.strictObject({
      ...opened,
      kind: z.enum(['question', 'rfc']),
      agent: label,
      urgency: urgency.optional(),
      since: isoTime,
      workflows: count,
      tasks: count,
    }),
  ),
  nodes: z.array(
    z.strictObject({
      id: z.string().min(1).max(500),
      kind: z.enum(['question', 'rfc', ...workKind.options]),
      name,
      /** There for what can be opened. */
      key: token.optional(),
    }),
  ),
  edges: z.array(
    z.strictObject({ from: z.string(), to: z.string(), kind: z.enum(['holds', 'part_of', 'depends_on']) }),
  ),
});
export type ImpactView = z.infer<typeof impactView>;

export const agentsView = z.strictObject({
  tab: z.literal('agents'),
  agents: z.array(
    z.strictObject({
      agent: label,
      /** Another name than its id. */
      label: label.optional(),
      waitsOn: z.array(z.strictObject({ ...opened, since: isoTime, holds: count })),
      doing: z.array(z.strictObject({ id: label, title: name, step: name.optional(), held: z.boolean() })),
      notPickedUp: z.array(z.strictObject({ ...opened, at: isoTime })),
      /** The form that lets all of it go on. */
      releaseAll: token.optional(),
    }),
  ),
});
export type AgentsView = z.infer<typeof agentsView>;

const spans = z.strictObject({ count, mean: ms.nullable(), median: ms.nullable(), p90: ms.nullable() });
export type SpansView = z.infer<typeof spans>;

export const stewardView = z.strictObject({
  tab: z.literal('steward'),
  /** False: no request was ever made here. */
  any: z.boolean(),
  depth: count,
  response: spans,
  completion: spans,
  responseBreaches: count,
  completionBreaches: count,
  targets: z.array(z.strictObject({ target: label, depth: count, breaches: count })),
  days: z.array(z.strictObject({ day, created: count, closed: count, depth: count, breaches: count })),
});
export type StewardView = z.infer<typeof stewardView>;

const byUrgency = <T extends z.ZodType>(item: T) =>
  z.strictObject({ low: item, medium: item, high: item, critical: item });

export const humansView = z.strictObject({
  tab: z.literal('humans'),
  waiting: count,
  answered: count,
  cancelled: count,
  released: count,
  expired: count,
  took: spans,
  tookByUrgency: byUrgency(spans),
  days: z.array(z.strictObject({ day, raised: byUrgency(count), decided: count })),
  reused: count,
  revoked: count,
  aiAnswers: count,
  aiOverruled: count,
  reviewerLoops: count,
});
export type HumansView = z.infer<typeof humansView>;

export const dashboardView = z.strictObject({
  type: z.literal('dashboard'),
  ...chosenFolder,
  data: z.discriminatedUnion('tab', [impactView, agentsView, stewardView, humansView]),
});
export type DashboardView = z.infer<typeof dashboardView>;

/** Host to webview: all there is to show. */
export const dashboardSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [dashboardView, unavailableView]),
  /** Why the last wish could not be granted. */
  notice: sentence.optional(),
});
export type DashboardSnapshot = z.infer<typeof dashboardSnapshot>;

/** Webview to host: wishes. None of them decides. */
export const dashboardMessage = z.discriminatedUnion('type', [
  /** The page runs; what it showed before a reload. */
  z.strictObject({ type: z.literal('ready'), tab: dashboardTab.optional() }),
  z.strictObject({ type: z.literal('tab'), tab: dashboardTab }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  z.strictObject({ type: z.literal('open'), key: token }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type DashboardMessage = z.infer<typeof dashboardMessage>;
