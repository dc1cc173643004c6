/** "Set up agents", as a person uses it. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { setupSurface } from '../harness.ts';
import { snapshot, states } from './samples.ts';

describe('the setup page', () => {
  const form = openForEach(setupSurface, { width: 900, height: 800 });

  const button = (host: string, act: string) => form.page.locator(`[data-host="${host}"] [data-act="${act}"]`);

  it('shows what it will write before it offers a button to write it', async () => {
    await form.send(snapshot());
    assert.equal(await form.page.locator('[data-act="write"]').count(), 0);
    await button('claude-code', 'add').click();
    const plan = form.page.locator('[data-plan="claude-code"]');
    await plan.getByText('"hooks": {').waitFor();
    await plan.getByText('a link to /home/dev/dotfiles/mcp.json').waitFor();
    // A screen reader announces it once for each run of lines.
    assert.deepEqual(await plan.locator('.difference').first().locator('.sr-only').allTextContents(), [
      'removed: ',
      'added: ',
    ]);
    assert.deepEqual(await form.posted(), []);
    await plan.locator('[data-act="write"]').click();
    assert.deepEqual(await form.posted(), [
      { type: 'act', hosts: ['claude-code'], act: 'add', shown: 'a1', render: 'n1' },
    ]);
    await form.send(snapshot({ render: 'n2' }, { kind: 'done', text: 'Connected: Claude Code.' }));
    assert.equal(await plan.count(), 0);
    assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus')), 'notice');
  });
  it('connects all hosts found here with one button, which first shows the changes of all', async () => {
    await form.send(states['first']!());
    await button('found', 'add').click();
    const plan = form.page.locator('[data-plan="found"]');
    await plan.getByText('"hooks": {').waitFor();
    await plan.locator('[data-act="write"]').click();
    assert.deepEqual(await form.posted(), [
      { type: 'act', hosts: ['vscode', 'claude-code'], act: 'add', shown: 'a1', render: 'n1' },
    ]);
    await form.send(states['partly']!());
    await form.page.getByText('Claude Code failed: its folder is read-only.').waitFor();
    await form.send(snapshot({ found: { hosts: [], add: { type: 'nothing' } } }));
    assert.equal(await button('found', 'add').count(), 0);
  });

  it('says in a sentence when a canary was denied', async () => {
    await form.send(snapshot());
    await form.page.getByText('An edit to a held file was denied in VS Code, 3 min ago.').waitFor();
    await form.page.getByText('A commit of a held file was denied, 3 min ago.').waitFor();
  });

  it('folds what a hook printed, whether its trial succeeded or failed', async () => {
    await form.send(snapshot());
    for (const [host, printed] of [
      ['vscode', '"permissionDecision":"deny"'],
      ['copilot-cli', 'exit 0'],
    ] as const) {
      const part = form.page.locator(`[data-host="${host}"]`);
      const output = part.getByText(printed);
      assert.equal(await output.isVisible(), false, host);
      await part.getByText('What its hook printed').click();
      await output.waitFor();
    }
  });

  it('opens a plan, returns and writes by keyboard', async () => {
    await form.send(snapshot());
    await button('codex', 'remove').focus();
    await form.page.keyboard.press('Enter');
    assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-plan')), 'codex');
    await button('codex', 'back').focus();
    await form.page.keyboard.press('Enter');
    assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-act')), 'remove');
    await form.page.keyboard.press('Enter');
    await button('codex', 'write').focus();
    await form.page.keyboard.press('Enter');
    assert.equal((await form.posted()).length, 1);
  });

  it('explains why it cannot write a file, and has no button', async () => {
    await form.send(snapshot());
    await form.page.locator('.others > summary').click();
    await button('opencode', 'add').click();
    await form.page.getByText('is not valid JSON').waitFor();
    assert.equal(await button('opencode', 'write').count(), 0);
  });

  it('offers to remove an intact host, and also to repair a broken one', async () => {
    await form.send(snapshot());
    assert.equal(await button('vscode', 'add').count(), 0);
    assert.equal(await button('copilot-cli', 'add').innerText(), 'Repair…');
    await form.page.locator('[data-host="copilot-cli"]').getByText('broken', { exact: true }).waitFor();
  });

  it('checks on request, and lets the user choose a folder', async () => {
    await form.send(states['folders']!());
    await form.page.locator('[data-act="check"]').click();
    await form.page.locator('select').selectOption('1/x');
    assert.deepEqual(await form.posted(), [{ type: 'check' }, { type: 'folder', key: '1/x' }]);
  });
});
