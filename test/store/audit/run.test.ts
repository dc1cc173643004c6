/** The audit that the editor shows: it reads the journal in slices, while agents go on. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { registerWork } from '../../../src/app/work/work.ts';
import { startAudit } from '../../../src/ui/dashboard/audit.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('an audit in slices', () => {
  afterEach(removeSandboxes);

  it('reads what was added while it read', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const register = (id: string) => registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
    await register('T1');
    const run = startAudit(workspace, () => undefined);
    try {
      assert.ok(run.checked < 100);
      await register('T2');
      run.look();
      while (run.checked < 100) await pause(1);
      assert.deepEqual([...run.audit.walk.state.work.keys()], ['T1', 'T2']);
    } finally {
      run.dispose();
    }
  });
});
