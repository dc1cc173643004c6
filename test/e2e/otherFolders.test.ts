/** What is waiting in folders that this window does not show, and the way there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { startAgent, type Agent } from '../support/agent.ts';
import { badge, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { treeOf } from '../support/tree.ts';
import { openWindow, type EditorWindow } from '../support/window.ts';

describe('Other folders', () => {
  let parent: TemporaryFolder;
  let editor: Editor;
  let window: EditorWindow;
  const agents: Agent[] = [];
  const at = (name: string) => path.join(parent.folder, name);

  async function agentIn(name: string, id = 'builder-001'): Promise<Agent> {
    await mkdir(at(name), { recursive: true });
    const agent = startAgent({ workspace: at(name), env: editor.env, id });
    agents.push(agent);
    return agent;
  }

  before(async () => {
    parent = await temporaryFolder();
    await mkdir(at('shop'));
    editor = await openEditor({ workspace: at('shop') });
    window = editor.window;
    await extensionReady(window);
    await showAnswerView(window);
  });
  after(async () => {
    for (const agent of agents) agent.close();
    await editor.close();
    await parent.remove();
  });

  const overview = async () => {
    await window.command('Holdpoint: Open Overview');
    return window.webview('main[data-view="dashboard"]');
  };
  const row = async (text: string) => (await overview()).locator('[data-folder]').filter({ hasText: text });

  it('stay out of the way while nothing is waiting there', async () => {
    const idle = await agentIn('idle');
    await idle.register('t-1', 'Nothing to ask');
    const page = await overview();
    await page.getByText('No agents yet.').waitFor();
    assert.equal(await page.locator('[data-folder]').count(), 0);
  });

  it('are counted in the hover of the status bar; the badge and the status bar stay with this window', async () => {
    const payments = await agentIn('payments', 'claude-001');
    await payments.register('t-1', 'Payouts');
    await payments.ask('Pay out daily or weekly?', { work: 't-1', urgency: 'high' });
    await payments.ask('Which bank holidays?', { mode: 'async', assumption: 'Those of the bank' });
    await (await agentIn('shop')).ask('Which port?');
    await badge(window, 1).waitFor();
    const status = window.page.locator('.statusbar-item', { hasText: '1 waiting' });
    await status.waitFor();
    await status.hover();
    await window.page.locator('.monaco-hover', { hasText: '2 waiting in other folders' }).waitFor();
  });

  it('are listed in the overview, each folder with its items, and say which are UNKNOWN or missing', async () => {
    await (await agentIn('docs')).ask('Which licence?');
    const journal = path.join(at('docs'), '.holdpoint', 'journal', '00000001.jsonl');
    await (await agentIn('old')).ask('Which year?');
    for (const agent of agents.splice(-2)) agent.close();
    await rm(journal);
    await rename(at('old'), at('moved'));
    const page = await overview();
    await (await row('no longer exists')).waitFor();
    const names = page.locator('[data-folder] h2');
    assert.deepEqual(await names.evaluateAll((all) => all.map((one) => one.firstElementChild?.textContent.trim())), [
      'docs',
      'payments',
      'old',
    ]);
    await (await row('docs')).getByText('All agents are paused').waitFor();
    const payments = (await row('payments')).getByRole('listitem');
    assert.match(await payments.first().innerText(), /Pay out daily or weekly\?.*high.*claude-001.*on hold until/);
    assert.match(await payments.last().innerText(), /Which bank holidays\?.*medium.*claude-001/);
    await window.screenshot('other-folders');
  });

  it('forget a missing one only when a human removes it, and show it again once it is back', async () => {
    const missing = await row('no longer exists');
    await missing.getByRole('button', { name: 'Remove from the list' }).click();
    await missing.waitFor({ state: 'detached' });
    await rename(at('moved'), at('old'));
    await (await row('Which year?')).waitFor();
  });

  async function opens(text: string): Promise<EditorWindow> {
    const page = window.page.context().waitForEvent('page');
    await (await overview()).getByRole('button', { name: text }).click();
    return openWindow(await page, undefined);
  }

  it('open in a window of their own, at the item; nothing is written there, and this window stays as it is', async () => {
    agents.find(({ workspace }) => workspace.location.root === at('payments'))?.close();
    const before = treeOf(path.join(at('payments'), '.holdpoint', 'journal'));
    const other = await opens('Which bank holidays?');
    const form = await questionShown(other);
    await form.locator('.question-text', { hasText: 'Which bank holidays?' }).waitFor();
    await other.page.locator('.statusbar-item', { hasText: '2 waiting' }).waitFor();
    assert.deepEqual(treeOf(path.join(at('payments'), '.holdpoint', 'journal')), before);
    assert.ok(!fs.existsSync(path.join(at('payments'), '.holdpoint', 'open.json')));
    await (await questionShown(window)).locator('.question-text', { hasText: 'Which port?' }).waitFor();
    await other.screenshot('other-folders-opened');
    // A reload shows what the human chose since, not the item for which the window was opened.
    await selectInTree(other, 'Pay out daily or weekly?');
    await form.locator('.question-text', { hasText: 'Pay out daily or weekly?' }).waitFor();
    await other.reload();
    await (await questionShown(other)).locator('.question-text', { hasText: 'Pay out daily or weekly?' }).waitFor();
    await other.close();
  });

  it('open at the recovery options where the state is UNKNOWN', async () => {
    const other = await opens('docs');
    await other.webview('main[data-view="recovery"]');
    await other.close();
  });
});
