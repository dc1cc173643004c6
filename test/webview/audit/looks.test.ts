/** The appearance of every state of the audit trail. */
import { auditSurface } from '../harness.ts';
import { checkLooks } from '../looking.ts';
import { scenes } from './scenes.ts';

describe('the audit trail: looks', () => {
  checkLooks({
    surface: auditSurface,
    scenes,
    widths: [900, 500, 250],
    open: { width: 1000, height: 800 },
    fields: 'input.search',
  });
});
