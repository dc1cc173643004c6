/** Every word the page shows is one the host has sent: in a language made up for this, none is left in English. */
import assert from 'node:assert/strict';
import { questionSurface } from '../harness.ts';
import { checkTranslated } from '../otherLanguage.ts';
import { states } from './samples.ts';
import { scenes } from './scenes.ts';

describe('the form: in another language', function () {
  this.timeout(60_000);
  checkTranslated(questionSurface, scenes, 'vscode-text-field input, #hours, #tools, #excluded');

  it('every sample is looked at', () => {
    for (const name of Object.keys(states)) assert.ok(name in scenes, name);
  });
});
