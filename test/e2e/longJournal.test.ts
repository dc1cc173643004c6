/** A window on a long journal without a saved state, as after an update that saves states in another way. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { writeManyByHand } from '../support/store/handwriting.ts';
import { longLine, question } from '../support/store/lab.ts';
import { makeSandbox } from '../support/store/sandbox.ts';
import type { Sandbox } from '../support/store/sandbox.ts';
import { extensionReady } from '../support/tools.ts';

describe('A window on a long journal without a saved state', () => {
  let sandbox: Sandbox;
  let editor: Editor;
  before(async () => {
    sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await store.transact({ kind: 'agent', id: 'copilot-001' }, () => ({ records: [], result: null }));
    sandbox.close();
    const asked = question(1, { work: 'H0-1', expiresAt: '2999-01-01T00:00:00.000Z' });
    writeManyByHand(sandbox.journal, [longLine('H0-'), longLine('H1-'), { records: [asked] }]);
    editor = await openEditor({ workspace: sandbox.folder, env: { HOME: sandbox.home } });
    await extensionReady(editor.window);
  });
  after(async () => {
    await editor.close();
    sandbox.remove();
  });

  it('shows what is waiting once another thread has read the journal and saved its state', async () => {
    await showAnswerView(editor.window);
    const form = await questionShown(editor.window);
    // Here, because nothing else saves within three seconds: a window does so when it has become idle.
    const saved = fs.readdirSync(sandbox.at('ws', '.holdpoint')).filter((name) => name.startsWith('holdpoint-'));
    assert.deepEqual(saved.map((name) => name.replace(/^.*\./, '')).sort(), ['json', 'sqlite']);
    assert.match(await form.locator('.question-text').innerText(), /\?/);
    await editor.window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    assert.deepEqual(editor.window.webviewErrors, []);
  });
});
