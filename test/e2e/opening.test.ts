/** Ways to a form from outside, and the notifications that lead there. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startAgent } from '../support/agent.ts';
import { questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const day = 24 * 60 * 60 * 1000;

describe('Coming to a question', () => {
  let { workspace, editor, window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, window, agent } = opened);
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await agent.register('t-1', 'API tokens');
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high' });
    await agent.ask('Which port?', { work: 't-1' });
    await agent.ask('Which host?', { work: 't-1', urgency: 'low' });
    await showAnswerView(window);
  });

  const shell = () => ({ workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-002' } });
  const clipboard = () => window.evaluate(({ vscode }) => Promise.resolve(vscode.env.clipboard.readText()), undefined);
  const messages = (one: EditorWindow) => one.page.locator('.notifications-center .notification-list-item-message');
  const undecided = () =>
    [...(agent.workspace.standing().state?.questions.values() ?? [])].every(({ resolution }) => resolution === null);

  async function shows(text: string): Promise<void> {
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: text }).waitFor();
  }

  /** As the operating system hands VS Code a link; the window under test says yes to VS Code's own question. */
  async function openLink(link: string): Promise<void> {
    await window.command('Developer: Open URL');
    const input = window.page.locator('.quick-input-widget input.input');
    await input.fill(link);
    await window.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  it('from a shell: holdpoint open', async () => {
    await shows('JWT or sessions?');
    const opened = await holdpoint(shell(), 'open', 'Q-2');
    assert.equal(opened.code, 0, opened.err);
    await shows('Which port?');
    const unknown = await holdpoint(shell(), 'open', 'Q-99');
    assert.deepEqual([unknown.code, unknown.err.trim()], [1, 'holdpoint: there is no item Q-99']);
  });

  it('from a link, which the form gives', async () => {
    await selectInTree(window, 'Which host?');
    await shows('Which host?');
    const form = await questionShown(window);
    await window.page.bringToFront();
    await form.locator('[data-act="copy-link"]').click();
    await form.locator('[data-act="copy-link"]', { hasText: 'copied' }).waitFor();
    // A browser lets only the window in front have the clipboard.
    let link = '';
    await until('the link is in the clipboard', async () => {
      await window.page.bringToFront();
      link = await clipboard();
      return link !== '';
    });
    assert.match(link, /^[a-z-]+:\/\/holdpoint\.holdpoint\/open\/Q-3\?workspace=[0-9a-f-]{36}$/);
    await selectInTree(window, 'JWT or sessions?');
    await shows('JWT or sessions?');
    await openLink(link);
    await shows('Which host?');
  });

  it('a link to another workspace says so; one that asks for more does nothing', async () => {
    const scheme = await window.evaluate(({ vscode }) => vscode.env.uriScheme, undefined);
    await openLink(`${scheme}://holdpoint.holdpoint/open/Q-1?workspace=00000000-0000-4000-8000-000000000000`);
    await window.command('Notifications: Show Notifications');
    const notices = window.page.locator('.notifications-center .notification-list-item', {
      hasText: 'Q-1 belongs to a folder that is not open in this window.',
    });
    await notices.waitFor();
    await window.command('Notifications: Clear All Notifications');
    for (const hostile of ['answer/Q-1?text=Yes', 'open/Q-1/answer', 'open/..%2FQ-1', 'release/Q-1'])
      await openLink(`${scheme}://holdpoint.holdpoint/${hostile}`);
    await shows('Which host?');
    assert.ok(undecided());
  });

  const counted = (one: EditorWindow) =>
    one.page.locator('.statusbar-item', {
      hasText: `${String(agent.workspace.standing().state?.questions.size)} waiting`,
    });

  it('none with the setting "off", and none afterwards for what was asked meanwhile', async () => {
    const notify = (value: string) =>
      window.evaluate(
        ({ vscode }, wanted) =>
          Promise.resolve(
            vscode.workspace
              .getConfiguration()
              .update('holdpoint.notifications', wanted, vscode.ConfigurationTarget.Global),
          ),
        value,
      );
    await window.page.bringToFront();
    await window.command('Notifications: Clear All Notifications');
    await window.command('View: Show Explorer');
    await notify('off');
    const quietly = `Quietly? ${randomUUID()}`;
    await agent.ask(quietly, { urgency: 'critical' });
    await counted(window).waitFor();
    await notify('all');
    const loudly = `Loudly? ${randomUUID()}`;
    await agent.ask(loudly, { urgency: 'critical' });
    await window.command('Notifications: Show Notifications');
    await messages(window).filter({ hasText: loudly }).waitFor();
    assert.equal(await messages(window).filter({ hasText: quietly }).count(), 0);
  });

  it('one when a question expires, once; its button opens the form', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.command('View: Show Explorer');
    const text = `Drop the old table? ${randomUUID()}`;
    // Its clock runs a day behind, so the life of what it asks is over in a moment.
    const late = startAgent({ workspace: workspace.folder, env: editor.env, id: 'builder-003', ahead: 8_000 - day });
    try {
      await late.register('t-9', 'Migration');
      await late.ask(text, { work: 't-9', urgency: 'high' });
    } finally {
      late.close();
    }
    await window.command('Notifications: Show Notifications');
    const expired = window.page.locator('.notifications-center .notification-list-item', {
      hasText: `Expired, still held: builder-003 stopped: ${text}`,
    });
    await expired.waitFor();
    assert.equal(await expired.count(), 1);
    await expired.hover();
    await expired.getByRole('button', { name: 'Answer' }).click();
    await shows(text);
    assert.ok(undecided());
    assert.deepEqual(window.webviewErrors, []);
  });
});
