/** Every state, as it looks: accessible in four themes, inside the policy, never wider than the view, and translated. */
import assert from 'node:assert/strict';
import { questionSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { states } from './samples.ts';
import { scenes } from './scenes.ts';

describe('the form: looks', () => {
  checkLooks({
    surface: questionSurface,
    scenes,
    widths: [250, 340 / 2],
    fields: '#confirm, #hours, #tools',
  });

  it('every sample is looked at', () => {
    for (const name of Object.keys(states)) assert.ok(name in scenes, name);
  });
});
