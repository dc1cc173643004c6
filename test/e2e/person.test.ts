/** The whole way, as a person goes it: from the notification to the answer, by keys or by mouse. */
import assert from 'node:assert/strict';
import { questionShown, readAll } from '../support/answerForm.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const choices = [
  { label: 'JWT', description: 'Signed and stateless.' },
  { label: 'Sessions', description: 'One delete revokes it.', recommended: true },
];

describe('A person answers', () => {
  let { window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ window, agent } = opened);
    await agent.register('t-1', 'API tokens', { holds: ['src/auth.js'] });
    await agent.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
  });

  const answers = () =>
    [...(agent.workspace.standing().state?.questions.values() ?? [])].map(({ resolution }) => resolution?.answer);

  /** The centre: the driver of tests switches toasts off. */
  const notification = (text: string) =>
    window.page.locator('.notifications-center .notification-list-item', { hasText: text });

  it('by keyboard alone, four presses: a chord opens the question, then pick and answer', async () => {
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high', choices });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    await notification('builder-001 stopped: JWT or sessions? Holds 2 items.').waitFor();
    let presses = 0;
    const press = async (key: string) => {
      presses++;
      await window.page.keyboard.press(key);
    };
    await press('Control+K');
    await press('h');
    const form = await window.webview('main[data-ready="true"] #choice-0:focus');
    await readAll(form);
    await press('2');
    await press('Control+Enter');
    await form.locator('.result-answered').waitFor();
    assert.equal(presses, 4);
    assert.deepEqual(answers(), [{ choices: ['Sessions'] }]);
  });

  it('by mouse, three clicks', async () => {
    // What a visible list has comes without a notification.
    await window.command('View: Show Explorer');
    await agent.ask('Which algorithm?', {
      work: 't-1',
      urgency: 'high',
      choices: [{ label: 'EdDSA' }, { label: 'RS256' }],
    });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    const one = notification('Which algorithm?');
    await one.hover();
    await one.getByRole('button', { name: 'Answer' }).click();
    const shown = await questionShown(window);
    await shown.locator('main[data-ready="true"]').waitFor();
    const form = await readAll(shown);
    await form.locator('main[data-ready="true"]').getByText('EdDSA', { exact: true }).click();
    await form.locator('[data-act="decide"]').click();
    await form.locator('.result-answered').waitFor();
    assert.deepEqual(answers()[1], { choices: ['EdDSA'] });
  });

  it('"Later" puts it off, and decides nothing', async () => {
    await window.command('View: Show Explorer');
    await agent.ask('Which curve?', { work: 't-1', urgency: 'high' });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    const one = notification('Which curve?');
    await one.hover();
    await one.getByRole('button', { name: 'Later' }).click();
    await one.waitFor({ state: 'detached' });
    assert.equal(agent.workspace.standing().state?.questions.get('Q-3')?.resolution, null);
  });

  it('the default keys open the first form, and the list', async () => {
    await window.command('View: Show Explorer');
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('h');
    await window.webview('#text:focus');
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('Shift+H');
    await window.page.locator('.pane-body .monaco-list:focus-within, .pane-body .monaco-list:focus').first().waitFor();
  });

  it('has the roles and names that screen readers read', async () => {
    await agent.ask('Redis or Postgres?', { work: 't-1', urgency: 'critical', choices, multiple: true });
    await window.command('Answer Next Question');
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'Redis or Postgres?' }).waitFor();
    await form.getByRole('heading', { name: 'Redis or Postgres?' }).waitFor();
    const group = form.getByRole('group', { name: 'Redis or Postgres?' });
    assert.equal(await group.getByRole('checkbox').count(), choices.length + 1);
    await group.getByRole('checkbox', { name: 'None of these' }).waitFor();
    await group.getByRole('checkbox', { name: 'Sessions recommended' }).waitFor();
    await form.getByRole('textbox', { name: 'Add a reason' }).waitFor();
    await form.getByRole('button', { name: 'Answer…', exact: true }).waitFor();
    await window.page.getByRole('treeitem', { name: /^critical, stopped, Redis or Postgres\?, .*holds 2/ }).waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });
});
