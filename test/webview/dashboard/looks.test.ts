/** The appearance of every state of the dashboard: as wide as an editor tab, half of one, and at 200 % zoom. */
import { dashboardSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the dashboard: looks', () => {
  checkLooks({
    surface: dashboardSurface,
    scenes,
    widths: [900, 500, 320],
    open: { width: 1000, height: 800 },
    fields: 'input',
  });
});
