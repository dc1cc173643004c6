import assert from 'node:assert/strict';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { openEditor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';

describe('The packed extension, installed', () => {
  it('has all it needs to run', async () => {
    const out = await temporaryFolder();
    const vsix = path.join(out.folder, 'holdpoint.vsix');
    await createVSIX({
      cwd: root,
      dependencies: false,
      packagePath: vsix,
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
    const workspace = await copyFolder(path.join(root, 'sample'));
    const editor = await openEditor({ workspace: workspace.folder, vsix });
    try {
      await extensionReady(editor.window);
      await invokeTool(editor.window, 'holdpoint_register_work', { id: 't-1', title: 'API tokens' });
      const asked = { text: 'JWT?', work_id: 't-1', wait_seconds: 0 };
      assert.match(await invokeTool(editor.window, 'holdpoint_raise_question', asked), /Q-1 still waits/);
      await editor.window.command('Focus on Answer View');
      const form = await editor.window.webview('main[data-view="question"]');
      assert.match(await form.locator('.question-text').innerText(), /JWT\?/);
      assert.deepEqual(editor.window.webviewErrors, []);
    } finally {
      await editor.close();
      await workspace.remove();
      await out.remove();
    }
  });
});
