/** The appearance of every state of the review: as wide as an editor tab, half of one, and at 200 % zoom. */
import { rfcSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the review: looks', () => {
  checkLooks({
    surface: rfcSurface,
    scenes,
    widths: [900, 640, 320],
    open: { width: 1280, height: 800 },
    fields: 'input',
  });
});
