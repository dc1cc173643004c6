/** What the dashboard shows: four views of one workspace folder, with the same figures as `holdpoint dashboard --json`. */
import * as l10n from '@vscode/l10n';
import type { AgentsNow, Impact } from '../../core/dashboard/agents.ts';
import type { Humans, Steward } from '../../core/dashboard/figures.ts';
import { inboxItems, type InboxWorkspace } from '../../app/waiting/inbox.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import type { ChosenFolder, SnapshotHead, UnavailableView } from '../kit/view.ts';
import { problemWords } from '../kit/problemWords.ts';
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

/** A folder that the page does not show, with what waits there. */
export interface OtherView extends Omit<InboxWorkspace, 'problem'> {
  /** Why its state is unknown. */
  readonly problem: string | null;
}

export interface DashboardSnapshot extends SnapshotHead {
  view: DashboardView | UnavailableView;
  others?: readonly OtherView[];
}

export function otherView({ problem, ...workspace }: InboxWorkspace): OtherView {
  const said = (known: NonNullable<typeof problem>) =>
    workspace.folder === null ? known.what : l10n.t('{0} All agents are paused.', problemWords(known));
  return { ...workspace, problem: problem && said(problem) };
}

/** The window's other folders in which something waits. */
export function othersOfWindow({ stores }: Folders, shown: OpenFolder | undefined): InboxWorkspace[] {
  return stores.flatMap(([{ workspace, name, uri }, ...same]) => {
    const { problem, state } = workspace.standing();
    if (shown && (shown.workspace === workspace || same.includes(shown))) return [];
    const folder = uri.fsPath;
    const items = state === null ? [] : inboxItems(state).map((item) => ({ ...item, folder }));
    if (items.length === 0 && problem === null) return [];
    return [{ project: name, folder, person: null, state: problem ? 'unknown' : 'readable', problem, items }];
  });
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
