/** The appearance of every state of the tabs about one folder: as wide as an editor tab, half of one, and narrow. */
import { scenes as audit } from './audit/scenes.ts';
import { scenes as dashboard } from './dashboard/scenes.ts';
import { auditSurface, dashboardSurface, setupSurface } from './harness.ts';
import { scenes as setup } from './hosts/scenes.ts';
import { checkLooks } from './looking.ts';

const looks = { widths: [900, 500, 250], open: { width: 1000, height: 800 }, fields: 'input' };

describe('the audit trail: looks', () => {
  checkLooks({ ...looks, surface: auditSurface, scenes: audit, fields: 'input.search' });
});
describe('the dashboard: looks', () => {
  checkLooks({ ...looks, surface: dashboardSurface, scenes: dashboard });
});
describe('the setup page: looks', () => {
  checkLooks({ ...looks, surface: setupSurface, scenes: setup });
});
