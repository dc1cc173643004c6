/** Messages of the dashboard: an editor tab with four views of one workspace folder. It only shows and opens items; it decides nothing. */
import * as z from 'zod';
import type { AgentsNow } from '../../core/dashboard/agents.ts';
import type { Humans } from '../../core/dashboard/humans.ts';
import type { Impact } from '../../core/dashboard/impact.ts';
import type { Steward } from '../../core/dashboard/steward.ts';
import { unavailableView } from '../kit/outcome.ts';
import { chosenFolder, label, sentence, snapshotHead, token } from '../kit/shared.ts';

export const dashboardTab = z.enum(['impact', 'agents', 'steward', 'humans']);
export type DashboardTab = z.infer<typeof dashboardTab>;

/** The person whose agents run here: the page shows their ids without it. */
interface Own {
  readonly own?: string | null;
}

export type ImpactView = { readonly tab: 'impact' } & Own & Impact;
export type AgentsView = { readonly tab: 'agents' } & Own & AgentsNow;
export type StewardView = { readonly tab: 'steward' } & Steward;
export type HumansView = { readonly tab: 'humans' } & Humans;
export type SpansView = Humans['time_to_answer'];
/** The same figures that `holdpoint dashboard --json` prints. */
export type DashboardData = ImpactView | AgentsView | StewardView | HumansView;

export const dashboardView = z.strictObject({
  type: z.literal('dashboard'),
  ...chosenFolder,
  data: z.custom<DashboardData>((data) => z.object({ tab: dashboardTab }).safeParse(data).success),
});
export type DashboardView = z.infer<typeof dashboardView>;

/** Host to webview: the whole view. */
export const dashboardSnapshot = z.strictObject({
  ...snapshotHead,
  view: z.discriminatedUnion('type', [dashboardView, unavailableView]),
  /** Why the last message could not be acted on. */
  notice: sentence.optional(),
});
export type DashboardSnapshot = z.infer<typeof dashboardSnapshot>;

/** Webview to host. None of the messages decides. */
export const dashboardMessage = z.discriminatedUnion('type', [
  /** The page is ready; `tab` is what it showed before a reload. */
  z.strictObject({ type: z.literal('ready'), tab: dashboardTab.optional() }),
  z.strictObject({ type: z.literal('tab'), tab: dashboardTab }),
  z.strictObject({ type: z.literal('folder'), key: token }),
  /** A question's form, an RFC's review. */
  z.strictObject({ type: z.literal('open'), id: label }),
  /** The form of a work item. */
  z.strictObject({ type: z.literal('work'), id: label }),
  /** The form that releases all questions of an agent. */
  z.strictObject({ type: z.literal('releaseAll'), agent: label }),
  z.strictObject({ type: z.literal('do'), action: z.enum(['openFolder', 'manageTrust', 'reloadWindow']) }),
]);
export type DashboardMessage = z.infer<typeof dashboardMessage>;
