import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { openEditor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';

describe('Activation', () => {
  it('does not need the database: it is loaded by the first call', async () => {
    const workspace = await copyFolder(path.join(root, 'sample'));
    const extension = await temporaryFolder();
    for (const part of ['package.json', 'package.nls.json', 'dist', 'media']) {
      await cp(path.join(root, part), path.join(extension.folder, part), { recursive: true });
    }
    await rm(path.join(extension.folder, 'dist', 'sql-wasm.wasm.br'));
    const editor = await openEditor({ workspace: workspace.folder, extension: extension.folder });
    try {
      await extensionReady(editor.window);
      const active = await editor.window.evaluate(
        ({ vscode }) => vscode.extensions.getExtension('holdpoint.holdpoint')?.isActive,
        undefined,
      );
      assert.equal(active, true);
      const listed = invokeTool(editor.window, 'holdpoint_list_items', {});
      await assert.rejects(listed, /sql-wasm\.wasm/);
    } finally {
      await editor.close();
      await extension.remove();
      await workspace.remove();
    }
  });
});
