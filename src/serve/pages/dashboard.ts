/** The dashboard in a browser. It opens forms; it decides nothing. */
import { dashboardMessage } from '../../ui/dashboard/messages.ts';
import { dashboardView, type DashboardData } from '../../ui/dashboard/view.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { inTurn } from '../../ui/kit/timing.ts';
import { snapshotHead } from '../../ui/surface/signingSurface.ts';
import { notShown, outageOf } from '../../ui/surface/unavailable.ts';
import { keyOf } from '../kit/folders.ts';
import { pathOf, type PageOptions } from './livePage.ts';

export function openDashboardPage({ folders, live, models, redraws }: PageOptions): Closable {
  const all = collect();
  const [folder] = folders.all;
  if (!folder) return all;
  let tab: DashboardData['tab'] = 'agents';
  const place = { folders: [], folder: keyOf('folder'), dismisses: false };
  const draw = inTurn(async () => {
    const view = await models.of(['dashboard', tab], () => dashboardView(folder, tab, place)).catch(notShown);
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
