import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import { packInto } from '../support/vsix.ts';

describe('The packed extension, installed as users install it', () => {
  let packed: TemporaryFolder;
  let vsix: string;
  let workspace: TemporaryFolder;
  let editor: Editor | undefined;
  before(async () => {
    packed = await temporaryFolder();
    vsix = await packInto(packed.folder);
  });
  after(() => packed.remove());
  beforeEach(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
  });
  afterEach(async () => {
    await editor?.close();
    await workspace.remove();
  });

  it('has all it needs to run', async () => {
    editor = await openEditor({ workspace: workspace.folder, vsix });
    const { window } = editor;
    await extensionReady(window);
    await invokeTool(window, 'holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    const asked = { text: 'JWT?', work_id: 't-1', wait_seconds: 0 };
    assert.match(await invokeTool(window, 'holdpoint_raise_question', asked), /Q-1 is still waiting/);
    await showAnswerView(window);
    const form = await questionShown(window);
    assert.match(await form.locator('.question-text').innerText(), /JWT\?/);
    assert.deepEqual(window.webviewErrors, []);
  });

  it('only reads in an untrusted folder, and starts once the folder is trusted', async () => {
    editor = await openEditor({ workspace: workspace.folder, vsix, workspaceTrust: true });
    const { window } = editor;
    assert.equal(await window.evaluate(({ vscode }) => vscode.workspace.isTrusted, undefined), false);
    await assert.rejects(invokeTool(window, 'holdpoint_raise_question', { text: 'May I?' }));
    await window.command('Focus on Answer View');
    const view = await window.webview('main[data-view="unavailable"]');
    assert.match(await view.locator('main').innerText(), /not trusted/);
    assert.equal(existsSync(path.join(workspace.folder, '.holdpoint')), false);

    await window.command('Workspaces: Manage workspace trust');
    await window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await extensionReady(window);
    assert.match(await invokeTool(window, 'holdpoint_list_items', {}), /^0 questions/);
  });
});
