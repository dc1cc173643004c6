/** The packaged thread in which the editor compares saved states with journals. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { answerBeside } from '../../src/vscode/kit/threads.ts';
import { root } from '../support/host.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { forge, savedBy } from '../support/store/savedState.ts';
import type { Comparison } from '../../src/app/audit/savedState.ts';
import type { Checked } from '../../src/vscode/recovery/checkingThread.ts';

describe('the thread that compares saved states', () => {
  // It takes the user-level folder from the environment, as in the editor.
  const before = process.env['XDG_STATE_HOME'];
  afterEach(() => {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    removeSandboxes();
  });

  const check = async (given: Checked) => (await answerBeside(root, 'checkingThread.cjs', given)) as Comparison | null;

  it('finds nothing wrong with what programs wrote, by the keys that the editor gives it', async () => {
    const { sandbox } = await savedBy();
    process.env['XDG_STATE_HOME'] = path.dirname(sandbox.userFolder);
    const { pins } = sandbox.open();
    const found = await check({ folder: sandbox.folder, pins: pins() });
    assert.deepEqual(found, { saved: sandbox.open().stateFile.read()?.snapshot, differs: null });
    assert.notEqual(
      (await check({ folder: sandbox.folder, pins: [] }))?.differs,
      null,
      'without keys an answer counts for nothing',
    );
  });

  it('finds what was forged', async () => {
    const { sandbox } = await savedBy();
    process.env['XDG_STATE_HOME'] = path.dirname(sandbox.userFolder);
    const workspace = sandbox.open();
    forge(workspace);
    assert.equal((await check({ folder: sandbox.folder, pins: workspace.pins() }))?.differs, 'questions');
  });

  it('compares nothing where nothing was saved', async () => {
    assert.equal(await check({ folder: makeSandbox().folder, pins: [] }), null);
  });

  it('fails rather than say that nothing differs', async () => {
    await assert.rejects(answerBeside(root, 'absent.cjs', {}));
    await assert.rejects(check({} as Checked));
  });
});
