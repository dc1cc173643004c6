/** The AI reviewer by itself: where a signed policy says so, each submitted revision goes to a language model once. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { openAdvanced } from '../support/answerForm.ts';
import { root } from '../support/host.ts';
import { invokeTool } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

/** Of test/fixtures/scripted-model, which runs in the extension host. */
interface Scripted {
  replies: string[];
  prompts: string[];
}

const answer = (question: number) =>
  `{"question":${String(question)},"outcome":"answered","answer":"Answer ${String(question)}.","evidence":["The design"],"confidence":"high"}`;
const reply = (...answers: string[]) => `{"verdict":"approve","summary":"Sound.","answers":[${answers.join(',')}]}`;

describe('A review on submission', () => {
  let { window } = {} as OnSample;
  onSample(
    async (opened) => {
      ({ window } = opened);
      await window.evaluate(async ({ vscode }) => {
        await vscode.extensions.getExtension('holdpoint-tests.scripted-model')?.activate();
        const settings = vscode.workspace.getConfiguration();
        await settings.update('holdpoint.reviewer.model', 'scripted/one', vscode.ConfigurationTarget.Global);
      }, undefined);
    },
    { empty: true, beside: [path.join(root, 'test', 'fixtures', 'scripted-model')] },
  );

  const script = (replies: string[]) =>
    window.evaluate((_, next) => {
      const { scripted } = globalThis as { scripted?: Scripted };
      if (!scripted) throw new Error('no scripted model');
      scripted.replies = next;
      scripted.prompts = [];
      return Promise.resolve();
    }, replies);
  const prompts = () =>
    window.evaluate(() => Promise.resolve((globalThis as { scripted?: Scripted }).scripted?.prompts ?? []), undefined);
  const rfc = () => invokeTool(window, 'holdpoint_list_items', { id: 'RFC-1' });
  const notification = (text: string) =>
    window.page.locator('.notifications-center .notification-list-item', { hasText: text });

  it('begins with a policy that a human signs', async () => {
    await invokeTool(window, 'holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    await window.command('Holdpoint: Edit Rules…');
    const form = await window.webview('main[data-view="policy"]');
    await openAdvanced(form);
    await form.getByText('A language model reviews it first').click();
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    // What a visible list has comes without a notification.
    await window.command('View: Show Explorer');
  });

  it('records what the model answered, and notifies of what it left', async () => {
    const left = '{"question":2,"outcome":"human_required"}';
    await script([reply(answer(1), left)]);
    await invokeTool(window, 'holdpoint_propose_rfc', {
      ...{ title: 'Signed tokens', detailed_design: 'A token is a row.', submit: true },
      unresolved_questions: ['How long?', 'Who pays?'],
    });
    await window.command('Notifications: Show Notifications');
    await notification('A language model answered 1 of its open questions and left 1 for you.').waitFor();
    const text = await rfc();
    assert.match(text, /How long\? \(answered by the reviewer.*"Answer 1\."/);
    assert.match(text, /Who pays\? \(waits for a human: Q-\d+\)/);
    assert.equal((await prompts()).length, 1);
  });

  it('reviews the next revision too, and each once', async () => {
    await script([reply(answer(1), answer(2))]);
    await invokeTool(window, 'holdpoint_propose_rfc', {
      ...{ id: 'RFC-1', detailed_design: 'A token is a signed row.', submit: true },
    });
    const sent = async () => (await prompts()).filter((text) => text.includes('A token is a signed row.')).length;
    await until('the second review', async () => (await sent()) > 0);
    await window.page.waitForTimeout(2_000);
    const before = await sent();
    await invokeTool(window, 'holdpoint_record_work', { id: 't-2', title: 'Anything else' });
    await window.page.waitForTimeout(2_000);
    assert.equal(await sent(), before);
  });

  it('leaves everything to a human where the model fails, or there is none of that name', async () => {
    const review = async (title: string) => {
      await invokeTool(window, 'holdpoint_propose_rfc', { title, unresolved_questions: ['How long?'], submit: true });
      await until(title, async () =>
        (await invokeTool(window, 'holdpoint_list_items', { id: title })).includes('How long? (waits for a human: Q-'),
      );
    };
    await script([]);
    await review('RFC-2');
    await window.evaluate(async ({ vscode }) => {
      const settings = vscode.workspace.getConfiguration();
      await settings.update('holdpoint.reviewer.model', 'scripted/none', vscode.ConfigurationTarget.Global);
    }, undefined);
    await script([reply(answer(1))]);
    await review('RFC-3');
    assert.deepEqual(await prompts(), []);
  });
});
