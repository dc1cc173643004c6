/** The packaged thread in which the editor compares saved states with journals. */
import assert from 'node:assert/strict';
import { answerBeside, type ThreadWork } from '../../src/ui/kit/keepers.ts';
import { root } from '../support/host.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { restoreEnvironment, useEnvironmentOf } from '../support/store/userEnvironment.ts';
import { forge, savedBy } from '../support/store/savedState.ts';
import type { Comparison } from '../../src/app/audit/savedState.ts';

describe('the thread that compares saved states', () => {
  afterEach(() => {
    restoreEnvironment();
    removeSandboxes();
  });

  type Checked = Pick<Extract<ThreadWork, { kind: 'compare' }>, 'folder' | 'pins'>;
  const check = async (given: Checked) =>
    (await answerBeside(root, { kind: 'compare', ...given })) as Comparison | null;

  it('finds nothing wrong with what programs wrote, by the keys that the editor gives it', async () => {
    const { sandbox } = await savedBy();
    useEnvironmentOf(sandbox);
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
    useEnvironmentOf(sandbox);
    const workspace = sandbox.open();
    forge(workspace);
    assert.equal((await check({ folder: sandbox.folder, pins: workspace.pins() }))?.differs, 'questions');
  });

  it('compares nothing where nothing was saved', async () => {
    assert.equal(await check({ folder: makeSandbox().folder, pins: [] }), null);
  });

  it('fails rather than say that nothing differs', async () => {
    await assert.rejects(answerBeside('/absent', { kind: 'save', folder: root }));
    await assert.rejects(check({} as Checked));
  });
});
