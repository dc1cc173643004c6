/** What a reader of the dashboard may see: each state, and those that need an action. */
import type { DashboardMessage } from '../../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../../src/ui/dashboard/view.ts';
import type { Form } from '../harness.ts';
import { humans, snapshot, states } from './samples.ts';
import { shown } from '../steps.ts';

export type Dashboard = Form<DashboardMessage, DashboardSnapshot>;
type Scene = (form: Dashboard) => Promise<void>;

export const scenes: Record<string, Scene> = {
  ...shown(states),
  outage: (form) =>
    form.show({
      ...snapshot(humans),
      outage: { state: 'offline', since: new Date(Date.parse(snapshot(humans).now) - 360_000).toISOString() },
    }),
};
