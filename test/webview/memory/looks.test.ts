/** The appearance of every state of the briefing: accessible in four themes, at 250 px and at 200 % zoom. */
import { briefingSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the briefing: looks', () => {
  checkLooks({ surface: briefingSurface, scenes, widths: [250, 340 / 2], fields: 'input' });
});
