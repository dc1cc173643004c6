/** Every text of the review comes from the host. */
import { rfcSurface } from '../harness.ts';
import { checkTranslated } from '../otherLanguage.ts';
import { scenes } from './scenes.ts';

describe('the review: in another language', function () {
  this.timeout(60_000);
  checkTranslated(rfcSurface, scenes, 'vscode-text-field input');
});
