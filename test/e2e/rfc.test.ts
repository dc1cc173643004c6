/** The review of an RFC in a real VS Code: every way in, remarks, a revision while one reads, a reload, the decision. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { holdpoint } from '../support/holdpoint.ts';
import { approveAsHuman, reviewShown, settled } from '../support/rfcForm.ts';
import { extensionReady, invokeTool } from '../support/tools.ts';
import { writtenDown } from '../support/writtenDown.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('A person reviews an RFC', () => {
  let { workspace, editor, window } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, window } = opened);
    await invokeTool(window, 'holdpoint_record_work', { id: 'wf-1', kind: 'workflow', title: 'Partner access' });
    await invokeTool(window, 'holdpoint_record_work', {
      ...{ id: 't-1', title: 'API tokens', workflow: 'wf-1', holds: ['src/auth.js'] },
    });
    await invokeTool(window, 'holdpoint_propose_rfc', {
      title: 'Tokens for partners',
      summary: 'Partners get signed tokens.',
      motivation: 'Sharing one password leaves no trace.',
      detailed_design: 'A token is a row in `tokens`.\n\nRevoking it deletes the row.',
      alternatives: [{ name: 'Passwords', pros: ['Nothing to build'], cons: ['Shared'], effort_estimate: 'none' }],
      affected_workflows: ['wf-1'],
      submit: true,
    });
  });

  const shell = () => ({ workspace: workspace.folder, env: editor.env });
  const tab = () => window.page.locator('.tabs-container .tab', { hasText: 'RFC-1' });

  async function closeTabs(): Promise<void> {
    await window.command('View: Close All Editors');
    await tab().waitFor({ state: 'detached' });
  }

  async function seen(review: Frame): Promise<void> {
    await review.locator('.rfc-title', { hasText: 'Tokens for partners' }).waitFor();
  }

  it('notifies once and holds: the gate denies', async () => {
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    const one = window.page.locator('.notifications-center .notification-list-item', {
      hasText: 'requests a review: Tokens for partners Holds 2 items.',
    });
    await one.hover();
    await one.getByRole('button', { name: 'Review' }).click();
    await seen(await reviewShown(window));
    const gate = await holdpoint(shell(), 'gate', '--work', 't-1');
    assert.equal(gate.code, 2);
    assert.match(gate.err, /RFC-1/);
  });

  it('opens from the status bar, which selects its row too', async () => {
    await closeTabs();
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).click();
    await seen(await reviewShown(window));
    await window.page.locator('.pane-body .monaco-list-row.selected', { hasText: 'Tokens for partners' }).waitFor();
    // The view has no button that decides something else.
    const view = await window.webview('main[data-view="review"]');
    assert.equal(await view.locator('[data-act=decide]').count(), 0);
  });

  it('opens from the tree, the palette, the command line and a link, each time in the same tab', async () => {
    await closeTabs();
    await window.command('Focus on Waiting for you View');
    await window.page.locator('.pane-body .monaco-list-row', { hasText: 'Tokens for partners' }).first().click();
    await seen(await reviewShown(window));
    await closeTabs();
    await window.command('Review RFC');
    await seen(await reviewShown(window));
    await closeTabs();
    const opened = await holdpoint(shell(), 'open', 'RFC-1');
    assert.equal(opened.code, 0, opened.err);
    await seen(await reviewShown(window));
    await window.evaluate(({ vscode }) => vscode.commands.executeCommand('holdpoint.form.open', 'RFC-1'), undefined);
    await settled(await reviewShown(window));
    assert.equal(await tab().count(), 1);
  });

  it('a blocking comment keeps Approve off; the agent’s reply comes in; resolved, it is on again', async () => {
    const review = await reviewShown(window);
    await review.getByRole('button', { name: 'Comment on Detailed design' }).click();
    await review.locator('textarea').first().fill('Who may revoke?');
    await review.getByText('Blocks the approval until you resolve it').click();
    await settled(review);
    await review.locator('[data-act="send-comment"]').click();
    const thread = review.locator('[data-thread="1"]');
    await thread.getByText('Who may revoke?').waitFor();
    await review.locator('.bar [data-act="jump"]', { hasText: 'Who may revoke?' }).waitFor();
    await settled(review);
    await review.locator('[data-act="open-approve"]').click();
    assert.equal(await review.locator('#conditions').count(), 0);

    await invokeTool(window, 'holdpoint_propose_rfc', { id: 'RFC-1', replies: [{ thread: 1, text: 'Only admins.' }] });
    await thread.getByText('Only admins.').waitFor();
    await settled(review);
    await thread.locator('[data-act="resolve"]').click();
    await review.getByText('Ready to approve').waitFor();
  });

  it('a revision that comes while one reads has to be read before it is approved', async () => {
    const review = await reviewShown(window);
    await settled(review);
    await review.locator('[data-act="open-approve"]').click();
    await review.locator('#conditions').fill('Every token has an expiry date');
    await invokeTool(window, 'holdpoint_propose_rfc', {
      id: 'RFC-1',
      detailed_design: 'A token is a row in `tokens`.\n\nRevoking it marks the row, and admins see who did.',
    });
    await review.getByText('Revision 2 is ready. Read it before approving.').waitFor();
    await settled(review);
    await review.locator('[data-act="decide"]').click();
    await review.locator('[data-act="latest"]').click();
    await review.getByText('marks the row, and admins see who did').waitFor();
    await settled(review);
    await review
      .locator('.contents-entry', { hasText: 'Detailed design' })
      .getByText('changed since')
      .waitFor({ state: 'attached' });
    await review.locator('[data-act="since-review"]').click();
    const changed = review.locator('[data-section="detailed_design"] .difference');
    await changed.locator('ins', { hasText: 'marks' }).first().waitFor();
    assert.match((await holdpoint(shell(), 'gate', '--work', 't-1')).err, /RFC-1/, 'nothing was approved meanwhile');
    assert.equal(await review.locator('#conditions').inputValue(), 'Every token has an expiry date');
  });

  it('a reload brings the tab and the draft back', async () => {
    await writtenDown(editor, window, /Every token has an expiry date/);
    await window.reload();
    await extensionReady(window);
    const review = await reviewShown(window);
    await seen(review);
    assert.equal(await review.locator('#conditions').inputValue(), 'Every token has an expiry date');
    assert.equal(await tab().count(), 1);
  });
  it('approved with a condition: the gate says yes, and names it', async () => {
    await window.evaluate(({ vscode }) => vscode.commands.executeCommand('holdpoint.rfc.open', 'RFC-1'), undefined);
    const review = await reviewShown(window);
    await settled(review);
    if ((await review.locator('#conditions').count()) > 0) await review.locator('[data-act="back"]').click();
    await approveAsHuman(review, ['Every token has an expiry date', 'Admins can list them']);
    const gate = await holdpoint(shell(), 'gate', '--work', 't-1');
    assert.equal(gate.code, 0, gate.err);
    assert.match(gate.out, /Every token has an expiry date/);
    await window.page.locator('.statusbar-item', { hasText: 'waiting' }).waitFor({ state: 'hidden' });
    assert.deepEqual(window.webviewErrors, []);
  });

  it('an open question is answered where it stands, with a choice of its author; an image is shown on a click, a diagram is drawn', async () => {
    fs.writeFileSync(path.join(workspace.folder, 'dot.png'), Buffer.from(dot, 'base64'));
    fs.writeFileSync(path.join(workspace.folder, 'not.png'), 'plain text');
    fs.writeFileSync(
      path.join(workspace.folder, 'limits.md'),
      '# Limits for tokens\n\n## Summary\n\n![A dot](dot.png) ![No image](not.png) ![Elsewhere](../dot.png)\n\n' +
        '```mermaid\nflowchart LR\n  Partner --> Token\n```\n\n' +
        '## Open questions\n\n- [ ] How long do they live?\n  - An hour: short\n  - A day\n',
    );
    await invokeTool(window, 'holdpoint_propose_rfc', { file: 'limits.md', submit: true });
    await window.evaluate(({ vscode }) => vscode.commands.executeCommand('holdpoint.rfc.open', 'RFC-2'), undefined);
    // The tab of the first RFC is on the screen until this one is.
    const review = await window.webview('.rfc-title:has-text("Limits for tokens")');
    await review.getByRole('button', { name: 'Show image: A dot' }).click();
    await review.getByRole('img', { name: 'A dot' }).waitFor();
    await review.getByRole('button', { name: 'Show image: No image' }).click();
    await review.getByText('only PNG, JPEG, GIF and WebP images').waitFor();
    await review.getByRole('button', { name: 'Show image: Elsewhere' }).click();
    await review.getByText('../dot.png is not a file of this workspace.').waitFor();
    const diagram = review.locator('.diagram-drawing.drawn iframe');
    await diagram.waitFor();
    const drawn = await (await diagram.elementHandle()).contentFrame();
    assert.match((await drawn?.locator('svg').textContent()) ?? '', /Partner.*Token/);
    assert.equal(await drawn?.evaluate(() => self.origin), 'null');
    await window.screenshot('rfc-diagram');
    await review.getByRole('radio', { name: /^An hour/ }).click();
    await settled(review);
    await review.locator('[data-act="answer"]').click();
    await review.getByText('You answered').waitFor();
    const rfc = await holdpoint(shell(), 'rfc', 'show', 'RFC-2');
    assert.match(rfc.out, /An hour/);
    await review.getByText('Ready to approve').waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });
});

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
