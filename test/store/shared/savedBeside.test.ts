/** What a thread saves of a machine's copy of a shared journal, while the editor waits for it and the server may be away. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { longLine } from '../../support/store/lab.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { removeSaved, savingThread, snapshotFiles } from '../../support/store/savedState.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';
import { sharedDatabase } from '../../support/store/sharedDatabase.ts';

const expiring = { text: 'May I?', type: 'clarification', urgency: 'high', mode: 'sync', work: null } as const;
/** Longer than questions stay open by default. */
const later = 400 * 24 * 60 * minute;

describe('the saved state of a shared journal', function () {
  this.timeout(240_000);
  const database = sharedDatabase();
  afterEach(removeSandboxes);

  /** A machine with a long copy, a question that is overdue, and no saved state. */
  async function machine(): Promise<Sandbox> {
    const { sandbox, workspace } = await adasWorkspace(database, async (local, { journal }) => {
      await raiseQuestion(await local.store(), agent(), expiring);
      writeManyByHand(journal, [longLine('A'), longLine('B')]);
    });
    workspace.close();
    removeSaved(sandbox);
    sandbox.clock.now += later;
    return sandbox;
  }

  const thread = (sandbox: Sandbox) =>
    savingThread(sandbox, () => openAs(database, sandbox, null, { filesOnly: true }));

  const statusOf = (workspace: Workspace) => workspace.standing().state?.questions.get('Q-1')?.status;

  it('is written without the server, and nothing that is due is', async () => {
    const sandbox = await machine();
    const before = fs.readFileSync(sandbox.journal);
    database.postgres.crash();
    try {
      const { saveBeside } = thread(sandbox);
      await saveBeside();
    } finally {
      database.postgres.start();
    }
    assert.equal(snapshotFiles(sandbox).length, 2);
    assert.deepEqual(fs.readFileSync(sandbox.journal), before);
  });

  it('is there before the editor reads the copy, and before it asks the server', async () => {
    for (const first of ['readFirst', 'pull', 'store'] as const) {
      const sandbox = await machine();
      const { begun, saveBeside } = thread(sandbox);
      const window = openAs(database, sandbox, 'ada', { saveBeside });
      await window[first]();
      assert.equal(begun.length, 1, first);
      assert.equal(statusOf(window), first === 'store' ? 'expired' : 'pending', first);
      await window.readFirst();
      assert.equal(begun.length, 1, `${first}: the saved state is there`);
    }
  });

  it('is read once for all who wait for it', async () => {
    const sandbox = await machine();
    const { begun, saveBeside } = thread(sandbox);
    const window = openAs(database, sandbox, 'ada', { saveBeside });
    await Promise.all([window.readFirst(), window.pull(), window.store(), window.confirm(10 * minute)]);
    assert.equal(begun.length, 1);
  });
});
