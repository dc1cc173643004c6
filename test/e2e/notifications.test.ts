/** Notifications: none of what is on the screen, one for a burst, none over the buttons of a review; critical ones stay. */
import assert from 'node:assert/strict';
import { extensionReady, invokeTool } from '../support/tools.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('Notifications', () => {
  let { window, agent } = {} as OnSample;
  onSample(
    async (opened) => {
      ({ window, agent } = opened);
      await agent.register('t-1', 'API tokens');
    },
    { empty: true },
  );

  /** The centre has what the toasts had: this host shows no toasts. */
  const all = () => window.page.locator('.notifications-center .notification-list-item');
  const notification = (text: string) => all().filter({ hasText: text });

  it('leave out what a visible list has; a critical question comes all the same, and stays', async () => {
    await window.command('Focus on Waiting for You View');
    await agent.ask('Which port?', { urgency: 'high' });
    await window.page.getByRole('treeitem', { name: 'Which port?' }).waitFor();
    // Its form is on the screen.
    await window.webview('.question-text:has-text("Which port?")');
    await agent.ask('Stop **everything**?', { urgency: 'critical' });
    await window.command('Notifications: Show Notifications');
    const critical = notification('builder-001 stopped: Stop everything?');
    await critical.waitFor();
    // VS Code keeps errors with buttons, and hides warnings after some seconds.
    assert.equal(await critical.locator('.notification-list-item-icon.codicon-error').count(), 1);
    assert.equal(await notification('Which port?').count(), 0);
    await window.command('Notifications: Clear All Notifications');
  });

  it('are one for a burst, which counts by kind', async () => {
    await window.command('View: Show Explorer');
    const texts = ['May I rename it?', 'May I move it?', 'May I delete it?'];
    for (const text of texts) await agent.ask(text, { urgency: 'high' });
    await invokeTool(window, 'holdpoint_propose_rfc', {
      ...{ title: 'Signed tokens', detailed_design: 'A token is a row.', submit: true },
    });
    await window.command('Notifications: Show Notifications');
    await notification('Needs your attention: 3 questions, 1 RFC').waitFor();
    for (const text of [...texts, 'Signed tokens']) assert.equal(await notification(text).count(), 0, text);
    await window.command('Notifications: Clear All Notifications');
  });

  it('are one for the burst of one agent, and show the first of them', async () => {
    const texts = ['Add lodash?', 'Add zod?', 'Add lit?', 'Add kysely?', 'Add mocha?'];
    for (const text of texts) await agent.ask(text, { urgency: 'high' });
    await window.command('Notifications: Show Notifications');
    const one = notification('5 questions from builder-001');
    await one.waitFor();
    for (const text of texts) assert.equal(await notification(text).count(), 0, text);
    await one.getByRole('button', { name: 'Show' }).click();
    await window.webview('.question-text:has-text("Add lodash?")');
    await window.page.getByRole('treeitem', { name: 'Add lodash?', selected: true }).waitFor();
    await window.command('View: Show Explorer');
    await window.command('Notifications: Clear All Notifications');
  });

  it('do not cover the buttons of a review in front: they come when it has gone', async () => {
    await window.command('Review RFC');
    await window.webview('.rfc-title:has-text("Signed tokens")');
    await window.command('View: Show Explorer');
    await agent.ask('Which host?', { urgency: 'high' });
    await window.page.locator('.statusbar-item', { hasText: '12 waiting' }).waitFor();
    // Longer than news are gathered.
    await window.page.waitForTimeout(3_000);
    await window.command('Notifications: Show Notifications');
    assert.equal(await notification('Which host?').count(), 0);
    await window.command('View: Close All Editors');
    await window.command('Notifications: Show Notifications');
    await notification('Which host?').waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });

  it('by policy, are only in the list, also after the editor was opened again; a critical one comes at once', async () => {
    await window.command('Holdpoint: Edit Rules…');
    const form = await window.webview('main[data-view="policy"]');
    await form.locator('#how-high').selectOption('silent');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    await window.command('View: Close All Editors');
    await window.command('View: Show Explorer');
    await window.command('Notifications: Clear All Notifications');
    await agent.ask('Rename the table?', { urgency: 'high' });
    await agent.ask('Drop the table?', { urgency: 'critical' });
    await window.command('Notifications: Show Notifications');
    await notification('Drop the table?').waitFor();
    assert.equal(await notification('Rename').count(), 0);
    await window.reload();
    await extensionReady(window);
    await window.page.locator('.statusbar-item', { hasText: '14 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    assert.equal(await notification('Rename').count(), 0);
    assert.deepEqual(window.webviewErrors, []);
  }).timeout(240_000);
});
