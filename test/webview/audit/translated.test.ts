/** Every text of the audit trail comes from the host. */
import { auditSurface } from '../harness.ts';
import { checkTranslated } from '../otherLanguage.ts';
import { scenes } from './scenes.ts';

describe('the audit trail: in another language', function () {
  this.timeout(60_000);
  checkTranslated(auditSurface, scenes, 'input.search');
});
