/** A window on a long journal without a saved state, as after an update that saves states in another way. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { writeManyByHand } from '../support/store/handwriting.ts';
import { longLine, question } from '../support/store/lab.ts';
import { makeSandbox, type Sandbox } from '../support/store/sandbox.ts';
import { removeSaved, snapshotFiles } from '../support/store/savedState.ts';
import { extensionReady } from '../support/tools.ts';

describe('A window on a long journal without a saved state', () => {
  let sandbox: Sandbox;
  let editor: Editor;
  before(async () => {
    sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await store.transact({ kind: 'agent', id: 'copilot-001' }, () => ({ records: [], result: null }));
    const asked = question(1, { work: 'H0-1', expiresAt: '2999-01-01T00:00:00.000Z' });
    writeManyByHand(sandbox.journal, [longLine('H0-'), longLine('H1-'), { records: [asked] }]);
    sandbox.close();
    removeSaved(sandbox);
    editor = await openEditor({ workspace: sandbox.folder, env: { HOME: sandbox.home } });
  });
  after(async () => {
    await editor.close();
    sandbox.remove();
  });

  // test/store/shared/savedBeside.test.ts does the same with a journal that is shared.
  it('shows what is waiting once another thread has read it and saved its state', async () => {
    await extensionReady(editor.window);
    await showAnswerView(editor.window);
    const form = await questionShown(editor.window);
    // Here, because nothing else saves within three seconds: a window does so when it has become idle.
    assert.deepEqual(
      snapshotFiles(sandbox)
        .map((file) => path.extname(file))
        .sort(),
      ['.json', '.sqlite'],
    );
    assert.match(await form.locator('.question-text').innerText(), /\?/);
    await editor.window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    assert.deepEqual(editor.window.webviewErrors, []);
  });
});
