import type { DashboardTab } from '../../src/protocol/dashboard/dashboard.ts';

/** In display order. */
export const dashboardTabs = ['impact', 'agents', 'steward', 'humans'] as const satisfies readonly DashboardTab[];
