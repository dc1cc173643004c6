import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { answerAsHuman, selectInTree, showAnswerView, type Answer } from '../support/answerForm.ts';
import { findHost, root } from '../support/host.ts';
import { openSample, type OpenedSample } from '../support/openSample.ts';
import { start, type Running } from '../support/processes.ts';
import { launchBrowser } from '../support/web.ts';
import { openWindow, type EditorWindow } from '../support/window.ts';

describe('What `npm start` opens', () => {
  let sample: OpenedSample | undefined;
  let agents: Running | undefined;
  let browser: Browser | undefined;
  let window: EditorWindow;

  before(async function () {
    const host = await findHost();
    // On the desktop it opens a window that only its user can reach.
    if (host.kind === 'desktop') this.skip();
    let printed = '';
    sample = await openSample(host, (line) => (printed += line));
    agents = start(process.execPath, [path.join(root, 'examples', 'sampleAgents.mjs'), sample.workspace], {
      env: sample.env,
    });
    browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    await page.goto(/http:\S+/.exec(printed)?.[0] ?? '');
    window = await openWindow(page, undefined, false);
  });
  after(async () => {
    await agents?.stop();
    await browser?.close();
    await sample?.stop();
  });

  async function answer(question: string, given: Answer): Promise<void> {
    await selectInTree(window, question);
    await answerAsHuman(await window.webview(`.question-text:has-text("${question}")`), given);
  }

  it('shows the three questions of its agents', async () => {
    await window.page.locator('.statusbar-item', { hasText: '3 waiting' }).waitFor();
  });

  it('shows toasts, as an installed extension does', async () => {
    const toast = window.page.locator('.notifications-toasts .notification-list-item');
    await toast.filter({ hasText: 'May I drop the table' }).waitFor();
    await window.command('Notifications: Clear All Notifications');
    // Only now: items that are in view have no toasts.
    await showAnswerView(window);
  });

  it('lets an agent drop a table only after two clicks', async () => {
    await answer('May I drop the table', { choice: 'Yes', text: 'It is backed up.' });
    await agents?.line(/t-5: done/);
    const migration = path.join(sample!.workspace, 'migrations', '0002-drop-legacy-tokens.sql');
    assert.equal(await readFile(migration, 'utf8'), 'DROP TABLE legacy_tokens;\n');
  });

  it('answers after a reload count as well: the key is the same', async () => {
    await window.reload();
    await showAnswerView(window);
    await answer('Should API tokens be', { choice: 'JWT' });
    await agents?.line(/gate t-3: yes/);
    assert.match(await readFile(path.join(sample!.workspace, 'src', 'auth.js'), 'utf8'), /a JWT that we signed/);
  });

  it('changes what an agent only assumed', async () => {
    await answer('For how many days', { text: '90 days' });
    assert.equal(await agents?.exited, 0);
    const audit = await readFile(path.join(sample!.workspace, 'config', 'audit.json'), 'utf8');
    assert.equal(audit, '{ "keepDays": 90 }\n');
  });
});
