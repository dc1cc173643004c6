/** What the overview shows of one workspace folder, with the same figures as `holdpoint dashboard --json`. */
import * as l10n from '@vscode/l10n';
import type { Dashboards } from '../../app/dashboard/dashboard.ts';
import { inboxItems, type InboxWorkspace } from '../../app/waiting/inbox.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import type { ChosenFolder, SnapshotHead, UnavailableView } from '../kit/view.ts';
import { problemWords, inDoubt } from '../kit/problemWords.ts';

export interface DashboardView extends ChosenFolder, Omit<Dashboards, 'steward'> {
  type: 'dashboard';
  /** The person whose agents run here: the page shows their ids without it. */
  readonly own?: string | null;
  /** The form that dismisses all questions of an agent can be opened here. */
  readonly dismisses: boolean;
  /** Null in a workspace without requests. */
  readonly requests: Dashboards['steward'] | null;
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
  place: ChosenFolder & { readonly dismisses: boolean },
): Promise<DashboardView | UnavailableView> {
  const { problem } = workspace.standing();
  if (problem) return inDoubt(problem);
  // Loads the figures and their queries with the first dashboard.
  const { dashboard, localCalendar } = await import('../../app/dashboard/dashboard.ts');
  const view = (await workspace.store()).read();
  const figures = <N extends keyof Dashboards>(name: N) => dashboard(view, name, localCalendar(days));
  const requests = figures('steward');
  return {
    ...{ type: 'dashboard', ...place, own: view.own },
    ...{ agents: figures('agents'), impact: figures('impact'), humans: figures('humans') },
    requests: Object.keys(requests.by_status).length === 0 ? null : requests,
  };
}
