/** A window on a long journal without a saved state, as after an update that saves states in another way. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { databaseUrl } from '../../src/store/shared/settings.ts';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { writeManyByHand } from '../support/store/handwriting.ts';
import { longLine, question } from '../support/store/lab.ts';
import { makeSandbox, type Sandbox } from '../support/store/sandbox.ts';
import { removeSaved, snapshotFiles } from '../support/store/savedState.ts';
import { adasWorkspace } from '../support/store/sharedWorkspace.ts';
import { extensionReady } from '../support/tools.ts';
import { sharedDatabase } from '../support/store/sharedDatabase.ts';

describe('A window on a long journal without a saved state', () => {
  let sandbox: Sandbox;
  let editor: Editor;
  const database = sharedDatabase();
  afterEach(async () => {
    await editor.close();
    sandbox.remove();
  });

  async function fill(workspace: Workspace, { journal }: Sandbox): Promise<void> {
    const store = await workspace.store();
    await store.transact({ kind: 'agent', id: 'copilot-001' }, () => ({ records: [], result: null }));
    const asked = question(1, { work: 'H0-1', expiresAt: '2999-01-01T00:00:00.000Z' });
    writeManyByHand(journal, [longLine('H0-'), longLine('H1-'), { records: [asked] }]);
  }

  async function ofThisMachine(): Promise<Sandbox> {
    const made = makeSandbox();
    await fill(made.open(), made);
    return made;
  }

  const shared = async () => (await adasWorkspace(database, fill)).sandbox;

  for (const [which, made] of [
    ['of this machine', ofThisMachine],
    ['that is shared', shared],
  ] as const)
    it(`${which} shows what is waiting once another thread has read it and saved its state`, async () => {
      sandbox = await made();
      sandbox.close();
      removeSaved(sandbox);
      const env = { HOME: sandbox.home, [databaseUrl]: database.postgres.url('ada_agent') };
      editor = await openEditor({ workspace: sandbox.folder, env });
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
