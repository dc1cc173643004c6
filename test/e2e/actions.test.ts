/**
 * How a person answers, and how much it takes. Each click and each key press is one action; what VS Code or Holdpoint does by
 * itself is none.
 */
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { questionShown, readAll } from '../support/answerForm.ts';
import { notificationShown } from '../support/notices.ts';
import { onSample, type OnSample } from '../support/onSample.ts';
import { until } from '../support/until.ts';

const choices = [
  { label: 'JWT', description: 'Signed and stateless.' },
  { label: 'Sessions', description: 'One delete revokes it.', recommended: true },
];

const options = (...labels: readonly string[]) =>
  labels.map((label) => ({ label, description: `What ${label.toLowerCase()} leads to, in one whole sentence.` }));

describe('Answering in the editor', () => {
  let { window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ window, agent } = opened);
    await agent.register('t-1', 'API tokens', { holds: ['src/auth.js'] });
    await agent.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
    await window.command('View: Show Explorer');
  });

  let actions = 0;
  const press = async (key: string) => {
    actions++;
    await window.page.keyboard.press(key);
  };
  const click = async (target: Locator) => {
    actions++;
    await target.click();
  };
  const answerOf = (id: string) =>
    agent.workspace.standing().state?.questions.get(id)?.resolution?.answer?.choices.join();

  /** The form of a question, in the view or in a tab, once it can be answered there. */
  async function formOf(question: string): Promise<Frame> {
    const form = await window.webview(
      `main[data-view="question"]:has([data-act="decide"]) #question:has-text("${question}")`,
    );
    await form.locator('main[data-ready="true"]').waitFor();
    return form;
  }

  const asked = {
    work: 't-1',
    urgency: 'high',
    background: 'Partners call us about 40 times a second. Two of them must be able to revoke access at once.',
    impact: 'The dashboard and the webhooks are built on whatever this is.',
    ifDelayed: 'API tokens come a day later for each day this waits.',
  } as const;

  it('takes three actions from a notification: Answer, a choice, the button', async () => {
    for (const more of [{}, { background: asked.background.repeat(6) }]) {
      const text = 'background' in more ? 'Which of the two stays?' : 'JWT or sessions?';
      const { id } = await agent.ask(text, { ...asked, choices: options('Sessions', 'JWT'), ...more });
      const toast = await notificationShown(window, `builder-001 stopped: ${text} ${asked.impact}`);
      actions = 0;
      await click(toast.getByRole('button', { name: 'Answer' }));
      const form = await formOf(text);
      await click(form.locator('label.choice', { hasText: 'JWT' }).first());
      await click(form.locator('main[data-ready="true"] [data-act="decide"]'));
      await until(`${id} is answered`, () => answerOf(id) === 'JWT');
      assert.equal(actions, 3, text);
      await window.command('View: Close All Editors');
      await window.command('View: Show Explorer');
      await window.command('Notifications: Clear All Notifications');
    }
  });

  it('takes two actions in a run: a number, and the keys that send', async () => {
    const texts = ['Per token or per account?', 'May I add the dependency?', 'Which login page stays?'];
    const ids: string[] = [];
    for (const text of texts) {
      const isApproval = text.startsWith('May');
      const kind = isApproval ? ({ type: 'approval' } as const) : { choices: options('The first', 'The second') };
      ids.push((await agent.ask(text, { ...asked, ...kind })).id);
    }
    await window.command('Holdpoint: Answer One After Another');
    actions = 0;
    for (const text of texts) {
      await formOf(text);
      await press('1');
      await press('Control+Enter');
    }
    for (const id of ids) await until(`${id} is answered`, () => answerOf(id) !== undefined);
    assert.deepEqual(ids.map(answerOf), ['The first', 'Yes', 'The first']);
    assert.equal(actions, 2 * texts.length);
  });

  it('takes four presses by keyboard alone: a chord opens the question, then pick and answer', async () => {
    await window.command('View: Close All Editors');
    await window.command('View: Show Explorer');
    const { id } = await agent.ask('Tokens or cookies?', { work: 't-1', urgency: 'high', choices });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await notificationShown(window, 'builder-001 stopped: Tokens or cookies? Holds 2 items.');
    actions = 0;
    await press('Control+K');
    await press('h');
    const form = await window.webview('main[data-ready="true"] #choice-0:focus');
    await readAll(form);
    await press('2');
    await press('Control+Enter');
    await form.locator('.result-line:has-text("answered")').waitFor();
    assert.equal(actions, 4);
    assert.equal(answerOf(id), 'Sessions');
  });

  it('is put off by "Later", which decides nothing', async () => {
    await window.command('View: Close All Editors');
    await window.command('View: Show Explorer');
    const { id } = await agent.ask('Which curve?', { work: 't-1', urgency: 'high' });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    const one = await notificationShown(window, 'Which curve?');
    await one.hover();
    await one.getByRole('button', { name: 'Later' }).click();
    await one.waitFor({ state: 'detached' });
    assert.equal(agent.workspace.standing().state?.questions.get(id)?.resolution, null);
  });

  it('begins with the default keys, which open the first form and the list', async () => {
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
