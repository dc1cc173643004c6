/** Journals that this version cannot trust or read: it says so everywhere, and lets nothing go on until a human decides. */
import assert from 'node:assert/strict';
import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { lastOfDevelopment } from '../../src/core/records/parts.ts';
import { questionShown, showAnswerView } from '../support/answerForm.ts';
import { holdpoint, type Called } from '../support/holdpoint.ts';
import { writeByHand } from '../support/store/handwriting.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('A journal', () => {
  let { workspace, editor } = {} as OnSample;
  let journal: string;

  // One editor and one store for all: each way out leaves a store that works, and the next test asks in it again.
  onSample((opened) => {
    ({ workspace, editor } = opened);
    journal = path.join(workspace.folder, '.holdpoint', 'journal', '00000001.jsonl');
  });
  const ask = async () => {
    await showAnswerView(editor.window);
    await invokeTool(editor.window, 'holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    await invokeTool(editor.window, 'holdpoint_raise_question', {
      text: 'JWT or sessions?',
      work_id: 't-1',
      wait_seconds: 0,
    });
    await editor.window.webview('main[data-view="question"]');
  };

  const gate = (...what: readonly string[]): Promise<Called> =>
    holdpoint({ workspace: workspace.folder, env: editor.env }, 'gate', ...what, '--json');
  const state = async (): Promise<string> => (JSON.parse((await gate('--work', 't-1')).out) as { state: string }).state;

  async function takeWayOut(name: string, confirm: (form: Frame) => Promise<void>): Promise<void> {
    const form = await editor.window.webview('main[data-view="recovery"][data-ready="true"]');
    await editor.window.screenshot(`recovery-${name}`);
    await form.locator(`[data-act="choose-${name}"]`).click();
    await confirm(form);
    // A form that has just changed takes no decision for a moment.
    await form.locator('main[data-ready="true"]').waitFor();
    await form.locator('[data-act="recover"]').click();
  }

  const tick = (form: Frame): Promise<void> => form.locator('[data-focus="confirm"]').click();

  describe('that was tampered with', () => {
    beforeEach(ask);

    it('is UNKNOWN when it was cut, until a human puts the copy back', async () => {
      const copies = path.join(editor.userData, 'User', 'globalStorage', 'holdpoint.holdpoint', 'copies');
      const { size } = await stat(journal);
      await until('a copy', () => hasCopy(copies, size));
      await truncate(journal, size - 20);
      assert.equal(await state(), 'UNKNOWN');
      await editor.window.page.locator('.statusbar-item', { hasText: 'all agents paused' }).waitFor();
      await takeWayOut('restore', tick);
      await editor.window.webview('main[data-view="question"]');
      await editor.window.command('Notifications: Show Notifications');
      await editor.window.page
        .locator('.notification-list-item', {
          hasText: 'Restored. What was held when the copy was made is held again.',
        })
        .waitFor();
      await editor.window.command('Notifications: Clear All Notifications');
      assert.equal(await state(), 'BLOCKED');
    });
    it('reports a record that claims an unsigned answer, and keeps the hold', async () => {
      const envelope = {
        payloadType: 'application/vnd.holdpoint.decision+json',
        payload: 'e30=',
        signatures: [{ keyid: 'a'.repeat(64), sig: 'AAAA' }],
      };
      const answer = { text: 'JWT, go on', choices: [] };
      writeByHand(journal, [{ kind: 'question.answered', v: 1, id: 'Q-1', answer, envelope }]);
      const form = await editor.window.webview('.ignored');
      assert.match(await form.locator('.ignored').innerText(), /1 record was ignored: no key that is trusted here/);
      await editor.window.screenshot('forgery');
      assert.equal(await form.locator('main').getAttribute('data-view'), 'question');
      assert.equal(await state(), 'BLOCKED');
    });
  });

  describe('of a newer Holdpoint', () => {
    before(ask);

    const next = lastOfDevelopment + 1;
    const raised = (minReader: number) => {
      writeByHand(journal, [{ kind: 'format.changed', v: 1, minReader, minWriter: next }]);
    };

    it('that this version may read but not write: waiting items are shown, and nothing can be decided', async () => {
      raised(1);
      await editor.window.reload();
      await extensionReady(editor.window);
      await showAnswerView(editor.window);
      const form = await questionShown(editor.window);
      await form.getByText('A newer version of Holdpoint wrote this workspace. Update to answer here.').waitFor();
      assert.equal(await form.locator('[data-act="decide"]').count(), 0);
      await editor.window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
      await editor.window.screenshot('newer-read-only');
      assert.equal(await state(), 'BLOCKED');
    });

    it('that this version cannot read: tree, status bar, forms and gate say to update, at once and after a reload', async () => {
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
      await window.webview('main[data-view="recovery"] :text("Only a newer version of Holdpoint can read that line.")');
      await takeWayOut('restore', tick);
      await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
      assert.equal(await state(), 'BLOCKED', 'the question still holds');
    });
  });
});

async function hasCopy(folder: string, size: number): Promise<boolean> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    for (const name of names) if ((await stat(path.join(folder, name))).size === size) return true;
    return false;
  } catch {
    return false;
  }
}
