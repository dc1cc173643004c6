/** The first minute: installed, no agent connected. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { answerAsHuman, questionShown } from '../support/answerForm.ts';
import { keyringFile } from '../../src/trust/keyring.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('The first minute', () => {
  let { workspace, editor, window } = {} as OnSample;
  onSample(
    async (opened) => {
      ({ workspace, editor, window } = opened);
      await window.command('Show Waiting Items');
    },
    { empty: true },
  );

  const button = (name: string) => window.page.locator('.welcome-view').getByRole('button', { name });
  /** Only this folder is read: one that is being deleted cannot be read whole. */
  const samples = () => {
    const folder = path.join(editor.userData, 'User', 'globalStorage', 'holdpoint.holdpoint', 'sample');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('has one welcome: try a sample question, or set up agents', async () => {
    await button('Try a Sample Question').waitFor();
    await button('Set Up Agents').waitFor();
    await window.screenshot('first-minute-welcome');
  });

  it('asks a real question, which blocks a real task', async () => {
    await button('Try a Sample Question').click();
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'Should sign-ins survive a restart' }).waitFor();
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    assert.notDeepEqual(samples(), []);
    await window.screenshot('first-minute-question');
  });

  it('keeps it from the tools of agents', async () => {
    const listed = await window.evaluate(async ({ vscode }) => {
      const input = { tool: 'holdpoint_list_items', toolInvocationToken: undefined };
      const result = await vscode.lm.invokeTool(input.tool, { input: {}, toolInvocationToken: undefined });
      return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    }, undefined);
    assert.doesNotMatch(listed, /sign-ins/);
  });

  it('its agent receives the answer, and everything is deleted', async () => {
    const form = await questionShown(window);
    await answerAsHuman(form, { choice: 'in the database' });
    await form.locator('.result', { hasText: 'sample-001' }).waitFor();
    await window.screenshot('first-minute-answered');
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor({ state: 'detached' });
    await until('the sample is deleted', () => samples().length === 0);
    await window.webview('main[data-view="nothing"]');
    await window.command('Notifications: Show Notifications');
    await window.page
      .locator('.notification-list-item', { hasText: 'The sample agent received your decision' })
      .getByRole('button', { name: 'Set Up Agents' })
      .waitFor();
  });

  it('leaves nothing in the folder, and trusts no key on this machine', () => {
    assert.deepEqual(readdirSync(workspace.folder), []);
    assert.equal(existsSync(path.join(editor.env['HOME'] ?? '', '.local', 'state', 'holdpoint', keyringFile)), false);
  });

  it('"Copy a Prompt for Your Agent" copies it, and puts it into the chat on a click, unsent', async () => {
    await window.run('holdpoint.agent.prompt');
    const copied = await window.evaluate(({ vscode }) => Promise.resolve(vscode.env.clipboard.readText()), undefined);
    assert.match(copied, /ask me one question .*#holdpoint_raise_question/);
    await window.command('Notifications: Show Notifications');
    await window.page
      .locator('.notification-list-item', { hasText: 'The prompt is copied' })
      .getByRole('button', { name: 'Open chat' })
      .click();
    const input = window.page.locator('.interactive-input-part .view-lines').first();
    await input.filter({ hasText: 'ask me one question' }).waitFor();
    await window.screenshot('first-minute-chat');
  });

  it('other terminals find `holdpoint` in the folder that the README names', async () => {
    const launcher = path.join(editor.env['HOME'] ?? '', '.local', 'state', 'holdpoint', 'bin', 'holdpoint');
    await until('the launcher is written', () => existsSync(launcher));
    assert.match(execFileSync(launcher, ['gate', '--help'], { encoding: 'utf8' }), /Usage: holdpoint gate/);
  });

  it('"Open Documentation" shows the user pages', async () => {
    await window.command('Open Documentation');
    await window.webview('h1:has-text("Holdpoint")');
    await window.screenshot('first-minute-docs');
  });

  it('the walkthrough has four steps, and pictures with colours', async () => {
    // Pictures need a wide editor.
    await window.evaluate(
      ({ vscode }) => vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar'),
      undefined,
    );
    await window.evaluate(({ vscode }) => vscode.commands.executeCommand('workbench.action.closeSidebar'), undefined);
    await window.evaluate(
      ({ vscode }) =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', 'holdpoint.holdpoint#holdpoint.start'),
      undefined,
    );
    const steps = window.page.locator('.getting-started-step');
    await steps.nth(3).waitFor();
    assert.equal(await steps.count(), 4);
    await steps.first().click();
    const picture = await window.webview('svg rect');
    const fill = await picture
      .locator('svg rect')
      .first()
      .evaluate((part) => getComputedStyle(part).fill);
    assert.notEqual(fill, 'rgb(0, 0, 0)');
    await window.screenshot('first-minute-walkthrough');
  });
});
