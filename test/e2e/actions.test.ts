/** How much an answer takes. Each click and each key press is one action; what VS Code or Holdpoint does by itself is none. */
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { notificationShown } from '../support/notices.ts';
import { onSample, type OnSample } from '../support/onSample.ts';
import { until } from '../support/until.ts';

const options = (...labels: readonly string[]) =>
  labels.map((label) => ({ label, description: `What ${label.toLowerCase()} leads to, in one whole sentence.` }));

describe('An answer takes', () => {
  let { window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ window, agent } = opened);
    await agent.register('t-1', 'API tokens');
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

  it('three actions from a notification: Answer, a choice, the button', async () => {
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

  it('two actions in a run: a number, and the keys that send', async () => {
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
    assert.deepEqual(window.webviewErrors, []);
  });
});
