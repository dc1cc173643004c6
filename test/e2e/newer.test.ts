/** A store that a newer Holdpoint has written: this one says so everywhere, says to update, and lets nothing go on. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lastOfDevelopment } from '../../src/core/records/format.ts';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { writeByHand } from '../support/store/handwriting.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';

describe('A store of a newer Holdpoint', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  let journal: string;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    journal = path.join(workspace.folder, '.holdpoint', 'journal', '00000001.jsonl');
    editor = await openEditor({ workspace: workspace.folder });
    await extensionReady(editor.window);
    await showAnswerView(editor.window);
    await invokeTool(editor.window, 'holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    const asked = { text: 'JWT or sessions?', work_id: 't-1', wait_seconds: 0 };
    await invokeTool(editor.window, 'holdpoint_raise_question', asked);
    await questionShown(editor.window);
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });

  const next = lastOfDevelopment + 1;
  const gate = (...what: readonly string[]) =>
    holdpoint({ workspace: workspace.folder, env: editor.env }, 'gate', ...what, '--json');
  const raised = (minReader: number) => {
    writeByHand(journal, [{ kind: 'format.changed', v: 1, minReader, minWriter: next }]);
  };

  it('that this one may read but not write: waiting items are shown, and nothing can be decided', async () => {
    raised(1);
    await editor.window.reload();
    await extensionReady(editor.window);
    await showAnswerView(editor.window);
    const form = await questionShown(editor.window);
    await form.getByText('A newer version of Holdpoint wrote this workspace. Update to answer here.').waitFor();
    assert.equal(await form.locator('[data-act="decide"]').count(), 0);
    await editor.window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await editor.window.screenshot('newer-read-only');
    const asked = await gate('--work', 't-1');
    assert.deepEqual([asked.code, (JSON.parse(asked.out) as { state: string }).state], [2, 'BLOCKED']);
  });

  it('that this one cannot read: tree, status bar, forms and gate say to update, at once and after a reload', async () => {
    raised(next);
    for (const when of ['at once', 'reloaded']) {
      const { page } = editor.window;
      await page.locator('.statusbar-item', { hasText: 'Holdpoint: update needed, all agents paused' }).waitFor();
      const row = page.locator('.pane-body [role="treeitem"]', { hasText: 'Update Holdpoint: all agents paused' });
      await row.waitFor();
      await page
        .locator('.tree-explorer-viewlet-tree-view .message', { hasText: 'Nothing is waiting for you' })
        .waitFor({ state: 'detached' });
      await row.click();
      const form = await editor.window.webview('article.plain [data-act="reloadWindow"]');
      const text = await form.locator('article').innerText();
      assert.match(text, /^Update Holdpoint\s.*Update Holdpoint, then reload this window\./s);
      assert.equal(await form.locator('[data-act="decide"], [data-act^="choose-"]').count(), 0, 'nothing to decide');
      await editor.window.screenshot(`newer-${when.replace(' ', '-')}`);
      if (when === 'reloaded') break;
      await editor.window.reload();
      await extensionReady(editor.window);
      await showAnswerView(editor.window);
    }
    const asked = await gate('--work', 't-1');
    assert.equal(asked.code, 2);
    const { state, text } = JSON.parse(asked.out) as { state: string; text: string };
    assert.equal(state, 'UNKNOWN');
    assert.match(text, /written by a newer Holdpoint.*Update Holdpoint/s);
    assert.equal((await gate('--file', 'README.md')).code, 2, 'files without a hold are denied too');
    const before = await readFile(journal);
    const said = await invokeTool(editor.window, 'holdpoint_record_work', { id: 't-2', title: 'More' });
    assert.match(said, /newer Holdpoint/);
    assert.deepEqual(await readFile(journal), before, 'nothing is written into it');
  });

  it('without a newer version to install, a human restores the copy of what came before', async () => {
    const { window } = editor;
    const page = await window.webview('article.plain [data-act="reloadWindow"]');
    await page.locator('[data-act="recovery-options"]').click();
    const form = await window.webview('main[data-view="recovery"][data-ready="true"]');
    await form.getByText('Only a newer version of Holdpoint can read that line.').waitFor();
    await window.screenshot('newer-recovery');
    await form.locator('[data-act="choose-restore"]').click();
    await form.locator('[data-focus="confirm"]').click();
    await form.locator('main[data-ready="true"]').waitFor();
    await form.locator('[data-act="recover"]').click();
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    const asked = await gate('--work', 't-1');
    assert.equal((JSON.parse(asked.out) as { state: string }).state, 'BLOCKED', 'the question still holds');
  });
});
