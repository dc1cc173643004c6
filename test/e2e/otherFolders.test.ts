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

  const head = () => window.page.locator('.pane-header', { hasText: 'Other folders' });
  const rows = () => window.page.locator('.pane', { has: head() }).getByRole('treeitem');
  const row = (text: string) => rows().filter({ hasText: text });
  /** Expands the section, which reads again. */
  const show = async () => {
    if ((await head().getAttribute('aria-expanded')) === 'true') await head().click();
    await head().click();
  };

  it('stay out of the way while nothing is waiting there', async () => {
    const idle = await agentIn('idle');
    await idle.register('t-1', 'Nothing to ask');
    await showAnswerView(window);
    assert.equal(await head().count(), 0);
  });

  it('are a folded section with a count; the badge and the status bar stay with this window', async () => {
    const payments = await agentIn('payments', 'claude-001');
    await payments.register('t-1', 'Payouts');
    await payments.ask('Pay out daily or weekly?', { work: 't-1', urgency: 'high' });
    await payments.ask('Which bank holidays?', { mode: 'async', assumption: 'Those of the bank' });
    await (await agentIn('shop')).ask('Which port?');
    await head().waitFor();
    await head().getByText('Other folders (2)', { exact: true }).waitFor();
    assert.equal(await head().getAttribute('aria-expanded'), 'false');
    await badge(window, 1).waitFor();
    const status = window.page.locator('.statusbar-item', { hasText: '1 waiting' });
    await status.waitFor();
    await status.hover();
    await window.page.locator('.monaco-hover', { hasText: '2 waiting in other folders' }).waitFor();
  });

  it('list each folder with its items, and say which are UNKNOWN or missing', async () => {
    await (await agentIn('docs')).ask('Which licence?');
    const journal = path.join(at('docs'), '.holdpoint', 'journal', '00000001.jsonl');
    await (await agentIn('old')).ask('Which year?');
    for (const agent of agents.splice(-2)) agent.close();
    await rm(journal);
    await rename(at('old'), at('moved'));
    await show();
    await row('missing').waitFor();
    const labels = await rows().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.deepEqual(labels, [
      'docs, can’t verify the journal',
      'payments, 2 waiting',
      'high, stopped, Pay out daily or weekly?, claude-001, just asked, payments',
      'medium, continues, Which bank holidays?, claude-001, just asked, payments',
      'old, missing',
    ]);
    await head().getByText('Other folders (3)', { exact: true }).waitFor();
  });

  it('forget a missing one only when a human removes it, and show it again once it is back', async () => {
    await row('missing').hover();
    await row('missing').getByRole('button', { name: 'Remove from List' }).click();
    await row('missing').waitFor({ state: 'detached' });
    await rename(at('moved'), at('old'));
    await show();
    await row('Which year?').waitFor();
  });

  async function opens(text: string): Promise<EditorWindow> {
    const page = window.page.context().waitForEvent('page');
    await row(text).click();
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
