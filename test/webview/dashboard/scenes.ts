/** What a reader of the dashboard may see. */
import type { DashboardMessage } from '../../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../../src/ui/dashboard/view.ts';
import type { Form } from '../harness.ts';
import { scene, shown, unfoldAll } from '../steps.ts';
import { states } from './samples.ts';

export const scenes: Record<string, (form: Form<DashboardMessage, DashboardSnapshot>) => Promise<void>> = {
  ...shown<DashboardMessage, DashboardSnapshot>(states),
  unfolded: scene<DashboardMessage, DashboardSnapshot>(states['full']!, unfoldAll),
};
