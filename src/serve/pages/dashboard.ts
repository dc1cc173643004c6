/** The dashboard in a browser. It opens forms; it decides nothing. */
import { dashboard, localCalendar } from '../../app/dashboard/dashboard.ts';
import { dashboardMessage } from '../../ui/dashboard/messages.ts';
import type { DashboardData, DashboardSnapshot } from '../../ui/dashboard/view.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { inTurn } from '../../ui/kit/timing.ts';
import { snapshotHead } from '../../ui/surface/signingSurface.ts';
import { inDoubt, notShown, outageOf } from '../../ui/surface/unavailable.ts';
import { keyOf } from '../kit/folders.ts';
import { pathOf } from './livePage.ts';
import type { PageOptions } from './livePage.ts';

/** Number of days in daily figures. */
const days = 14;
type Tab = DashboardData['tab'];

export function openDashboardPage({ folders, live, models, redraws }: PageOptions): Closable {
  const all = collect();
  let tab: Tab = 'impact';
  const draw = inTurn(async () => {
    const view = await models.of(['dashboard', tab], () => currentView(folders, tab)).catch(notShown);
    const outage = models.of(['outage'], () => outageOf(folders));
    await live.page.webview.postMessage({ ...snapshotHead(), ...outage, view });
  });
  all.add(
    live.page.webview.onDidReceiveMessage((raw: unknown) => {
      const message = dashboardMessage.safeParse(raw).data;
      if (message?.type === 'work') live.send({ event: 'go', data: pathOf(keyOf(`work/${message.id}`)) });
      if (message?.type === 'open') live.send({ event: 'go', data: pathOf(keyOf(message.id)) });
      if (message?.type === 'tab') tab = message.tab;
      if (message?.type === 'ready') tab = message.tab ?? tab;
      if (message?.type === 'tab' || message?.type === 'ready') void draw();
    }),
  );
  all.add(
    redraws.event(() => {
      if (live.isOpen()) void draw();
    }),
  );
  return all;
}

async function currentView(folders: PageOptions['folders'], tab: Tab): Promise<DashboardSnapshot['view']> {
  const [folder] = folders.all;
  const problem = folder?.workspace.standing().problem;
  if (problem) return inDoubt(problem);
  if (!folder) throw new Error('no folder');
  const view = (await folder.workspace.store()).read();
  // The tab determines the figures.
  const data = { tab, own: view.own, ...dashboard(view, tab, localCalendar(days)) } as DashboardData;
  return { type: 'dashboard', folders: [], folder: keyOf('folder'), data };
}
