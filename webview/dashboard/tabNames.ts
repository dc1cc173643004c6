import type { DashboardTab } from '../../src/ui/dashboard/messages.ts';

/** In display order. */
export const dashboardTabs = ['impact', 'agents', 'steward', 'humans'] as const satisfies readonly DashboardTab[];
