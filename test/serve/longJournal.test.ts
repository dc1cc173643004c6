/** The server on a long journal without a saved state. */
import assert from 'node:assert/strict';
import { writeManyByHand } from '../support/store/handwriting.ts';
import { longLine } from '../support/store/lab.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { removeSaved, snapshotFiles } from '../support/store/savedState.ts';
import { startServe } from './program.ts';

describe('a server on a long journal', () => {
  after(removeSandboxes);

  it('has a thread read it and save its state before it listens', async () => {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await store.transact({ kind: 'agent', id: 'copilot-001' }, () => ({ records: [], result: null }));
    sandbox.close();
    removeSaved(sandbox);
    writeManyByHand(sandbox.journal, [longLine('A'), longLine('B')]);
    const served = await startServe(sandbox);
    try {
      assert.equal(snapshotFiles(sandbox).length, 2);
    } finally {
      await served.stop();
    }
  });
});
