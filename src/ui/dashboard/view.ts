/** What the dashboard shows: four views of one workspace folder, with the same figures as `holdpoint dashboard --json`. */
import type { AgentsNow, Impact } from '../../core/dashboard/agents.ts';
import type { Humans, Steward } from '../../core/dashboard/figures.ts';
import type { OpenFolder } from '../kit/folders.ts';
import type { ChosenFolder, SnapshotHead, UnavailableView } from '../kit/view.ts';
import { inDoubt } from '../surface/unavailable.ts';

/** The person whose agents run here: the page shows their ids without it. */
interface Own {
  readonly own?: string | null;
}

export type ImpactView = { readonly tab: 'impact' } & Own & Impact;
/** `dismisses`: the form that dismisses all questions of an agent can be opened here. */
export type AgentsView = { readonly tab: 'agents'; readonly dismisses?: boolean } & Own & AgentsNow;
export type StewardView = { readonly tab: 'steward' } & Steward;
export type HumansView = { readonly tab: 'humans' } & Humans;
export type SpansView = Humans['time_to_answer'];
export type DashboardData = ImpactView | AgentsView | StewardView | HumansView;

export interface DashboardView extends ChosenFolder {
  type: 'dashboard';
  data: DashboardData;
}

export interface DashboardSnapshot extends SnapshotHead {
  view: DashboardView | UnavailableView;
}

/** Number of days in daily figures. */
const days = 14;

export async function dashboardView(
  { workspace }: OpenFolder,
  tab: DashboardData['tab'],
  { dismisses, ...chosen }: ChosenFolder & { readonly dismisses: boolean },
): Promise<DashboardView | UnavailableView> {
  const { problem } = workspace.standing();
  if (problem) return inDoubt(problem);
  // Loads the figures and their queries with the first dashboard.
  const { dashboard, localCalendar } = await import('../../app/dashboard/dashboard.ts');
  const view = (await workspace.store()).read();
  // The tab determines the figures.
  const data = { tab, own: view.own, dismisses, ...dashboard(view, tab, localCalendar(days)) } as DashboardData;
  return { type: 'dashboard', ...chosen, data };
}
