/** The appearance of every state of "Set up agents": as wide as an editor tab, half of one, and at 250 px. */
import { setupSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the setup page: looks', () => {
  checkLooks({
    surface: setupSurface,
    scenes,
    widths: [900, 500, 250],
    open: { width: 900, height: 800 },
    fields: 'input',
  });
});
