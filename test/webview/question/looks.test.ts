/** Every state, as it looks: accessible in four themes, inside the policy, and never wider than the view. */
import { questionSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the form: looks', function () {
  this.timeout(60_000);
  checkLooks({ surface: questionSurface, scenes, widths: [250, 340 / 2] });
});
