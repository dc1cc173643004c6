import type { DashboardTab } from '../../src/protocol/dashboard/dashboard.ts';

/** In the order in which they stand. */
export const dashboardTabs = ['impact', 'agents', 'steward', 'humans'] as const satisfies readonly DashboardTab[];
