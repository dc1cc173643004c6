import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { encodeLine, readSegment } from '../../src/store/journal/line.ts';
import { showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint, type Called } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

describe('A journal that was tampered with', () => {
  let workspace: TemporaryFolder;
  let editor: Editor;
  let journal: string;

  // One editor and one store for all: each way out leaves a store that works, and the next test asks in it again.
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    journal = path.join(workspace.folder, '.holdpoint', 'journal', '00000001.jsonl');
    editor = await openEditor({ workspace: workspace.folder });
    await extensionReady(editor.window);
  });
  after(async () => {
    await editor.close();
    await workspace.remove();
  });
  beforeEach(async () => {
    await showAnswerView(editor.window);
    await invokeTool(editor.window, 'holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    await invokeTool(editor.window, 'holdpoint_raise_question', {
      text: 'JWT or sessions?',
      work_id: 't-1',
      wait_seconds: 0,
    });
    await editor.window.webview('main[data-view="question"]');
  });

  const gate = (): Promise<Called> =>
    holdpoint({ workspace: workspace.folder, env: editor.env }, 'gate', '--work', 't-1', '--json');
  const state = async (): Promise<string> => (JSON.parse((await gate()).out) as { state: string }).state;

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
      .locator('.notification-list-item', { hasText: 'Restored. What was held when the copy was made is held again.' })
      .waitFor();
    await editor.window.command('Notifications: Clear All Notifications');
    assert.equal(await state(), 'BLOCKED');
  });

  it('is UNKNOWN when a line was changed, until a human sets it aside', async () => {
    const bytes = await readFile(journal);
    const at = bytes.lastIndexOf('JWT or sessions?');
    bytes.write('X', at);
    await writeFile(journal, bytes);
    await editor.window.reload();
    await extensionReady(editor.window);
    await showAnswerView(editor.window);
    assert.equal(await state(), 'UNKNOWN');
    await takeWayOut('setAside', tick);
    await editor.window.webview('main[data-view="nothing"]');
    assert.equal(await state(), 'CLEAR');
    const list = await holdpoint({ workspace: workspace.folder, env: editor.env }, 'work', 'list');
    assert.match(list.out, /t-1/, 'what was not damaged is still there');
  });

  it('is UNKNOWN when it was emptied, until a human starts over', async () => {
    await truncate(journal, 0);
    assert.equal(await state(), 'UNKNOWN');
    await takeWayOut('startAnew', async (form) => {
      await form.locator('[data-focus="confirm"] input').fill('start over');
    });
    await editor.window.webview('main[data-view="nothing"]');
    assert.equal(await state(), 'BLOCKED', 'unknown work is denied');
    assert.equal(
      (await holdpoint({ workspace: workspace.folder, env: editor.env }, 'gate', '--file', 'src/auth.js')).code,
      0,
    );
    const kept = await readdir(path.dirname(journal));
    assert.ok(
      kept.some((name) => name.includes('aside')),
      'the old journal is kept',
    );
  });

  it('reports a record that claims an unsigned answer, and keeps the hold', async () => {
    const bytes = await readFile(journal);
    let head = '';
    for (let at = 0; at < bytes.length;) {
      const segment = readSegment(bytes, 0, at);
      // The line feed that ends a line is a segment of its own, which says nothing.
      if (segment.kind === 'tail') break;
      if (segment.kind === 'line') head = segment.hash;
      at = segment.next;
    }
    const envelope = {
      payloadType: 'application/vnd.holdpoint.decision+json',
      payload: 'e30=',
      signatures: [{ keyid: 'a'.repeat(64), sig: 'AAAA' }],
    };
    const record = {
      kind: 'question.answered',
      v: 1,
      id: 'Q-1',
      answer: { text: 'JWT, go on', choices: [] },
      envelope,
    };
    const forged = encodeLine({
      at: bytes.length,
      prev: head,
      op: '00000000-0000-4000-8000-000000000000',
      time: '2026-01-01T00:00:00.000Z',
      actor: { kind: 'human', id: 'Somebody' },
      records: [record],
    });
    await appendFile(journal, forged.bytes);

    const form = await editor.window.webview('.ignored');
    assert.match(await form.locator('.ignored').innerText(), /1 record was ignored: no key that is trusted here/);
    await editor.window.screenshot('forgery');
    assert.equal(await form.locator('main').getAttribute('data-view'), 'question');
    assert.equal(await state(), 'BLOCKED');
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
