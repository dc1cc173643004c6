/** What the dashboard shows: four views of one workspace folder, with the same figures as `holdpoint dashboard --json`. */
import type { AgentsNow } from '../../core/dashboard/agents.ts';
import type { Humans } from '../../core/dashboard/humans.ts';
import type { Impact } from '../../core/dashboard/impact.ts';
import type { Steward } from '../../core/dashboard/steward.ts';
import type { ChosenFolder, SnapshotHead, UnavailableView } from '../kit/view.ts';

/** The person whose agents run here: the page shows their ids without it. */
interface Own {
  readonly own?: string | null;
}

export type ImpactView = { readonly tab: 'impact' } & Own & Impact;
export type AgentsView = { readonly tab: 'agents' } & Own & AgentsNow;
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
  /** Why the last message could not be acted on. */
  notice?: string | undefined;
}
