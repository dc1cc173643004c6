import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Frame } from 'playwright-core';
import type { QuestionView } from '../../src/app/question/views.ts';
import { journalPath } from '../../src/store/journal/files.ts';
import {
  answerAsHuman,
  contextMenu,
  pick,
  questionShown,
  readAll,
  selectInTree,
  showAnswerView,
  openAdvanced,
} from '../support/answerForm.ts';
import { askHook } from '../support/askHook.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

/** In whole hours: the line is written a moment after the question was made. */
function lifeHours({ raised_at, expires_at }: QuestionView): number {
  assert.ok(expires_at !== null);
  return Math.round((Date.parse(expires_at) - Date.parse(raised_at)) / (60 * 60 * 1000));
}

describe('Forms about a whole workspace and a whole agent', () => {
  let { workspace, editor, window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, window, agent } = opened);
    await agent.register('t-1', 'API tokens');
  });

  const gate = () => holdpoint({ workspace: workspace.folder, env: editor.env }, 'gate', '--work', 't-1');

  /** The hook's answer to the agent's host before it uses a tool of a server. */
  function hook(tool: string) {
    const env = { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' };
    return askHook({ workspace: workspace.folder, env }, { tool_name: tool, tool_input: { query: 'ports' } });
  }

  /** Both steps of a form about more than one question. */
  async function decideInTwoSteps(form: Frame): Promise<void> {
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
  }

  it('a policy changed by hand is in force: what is asked from now on lives as long as it says', async () => {
    const before = await agent.ask('Which port?');
    assert.equal(lifeHours(before), 72);
    await window.command('Holdpoint: Edit Rules…');
    const form = await window.webview('main[data-view="policy"]');
    assert.equal(await form.locator('#wait-medium').inputValue(), '72');
    await form.locator('#wait-medium').fill('3');
    await form.getByText('It becomes critical').click();
    await form.locator('#remind-high').fill('10');
    await form.locator('#remind-critical').fill('');
    await form.locator('#undo').fill('1');
    await openAdvanced(form);
    await form.locator('[data-act=add-tools]').click();
    await form.locator('#tools-0-it').fill('docs/search');
    await decideInTwoSteps(form);
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    const after = await agent.ask('Which host?');
    assert.equal(lifeHours(after), 3);
    const reminders = { critical: 0, high: 10, medium: 0, low: 0 };
    assert.deepEqual(agent.workspace.standing().state?.policy.reminders, reminders);
    assert.deepEqual(agent.workspace.standing().state?.policy.undo, { seconds: 1 });
    // Its hooks let go on what only reads, and nothing else of a server.
    assert.equal(hook('mcp__docs__search').status, 0);
    const denied = hook('mcp__docs__write');
    assert.equal(denied.status, 2);
    assert.match(denied.stderr, /Which port\?/);
  });

  it('the name can be changed in “You and your devices”; what was signed under the former one stays mine', async () => {
    await showAnswerView(window);
    await selectInTree(window, 'Which port?');
    await answerAsHuman(await questionShown(window), { text: '8080' });
    await window.command('Holdpoint: You and Your Devices…');
    const form = await window.webview('main[data-view="keys"]');
    await form.locator('main[data-ready="true"] [data-act="rename"]').click();
    await form.locator('#newName').fill('Grace Hopper');
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice-info[data-focus="result"]').waitFor();
    assert.deepEqual(
      agent.workspace.pins().map(({ name }) => name),
      ['Grace Hopper'],
    );
    // The settings have a tab of their own: the question stays in its view.
    const question = await questionShown(window);
    assert.match(await question.locator('.result-line').innerText(), /^You answered/);
  });

  it('all of an agent is let go by hand, with a note; the gate then says yes', async () => {
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high' });
    await agent.ask('Which algorithm?', { work: 't-1' });
    assert.equal((await gate()).code, 2);
    await selectInTree(window, 'JWT or sessions?');
    await questionShown(window);
    await contextMenu(window, 'JWT or sessions?', 'Dismiss All Questions of This Agent…');
    const form = await window.webview('main[data-view="releaseAll"]');
    assert.equal(await form.locator('.all-list > li').count(), 3);
    await form.locator('#text').fill('Use your judgement.');
    await decideInTwoSteps(form);
    const result = await window.webview('.result-line:has-text("dismissed this without an answer")');
    assert.match(await result.locator('.question-text').innerText(), /JWT or sessions\?/);
    assert.match(
      await result.locator('.result').innerText(),
      /You dismissed this without an answer[^]*Use your judgement\./,
    );
    assert.equal((await gate()).code, 0);
    const { state } = agent.workspace.standing();
    assert.deepEqual(
      [...(state?.questions.values() ?? [])].map(({ resolution }) => resolution?.how),
      ['answered', 'released', 'released', 'released'],
    );
    assert.deepEqual(state?.refusals, []);
  });

  it('the context menu of a question in the tree opens the same form, and lets nothing go', async () => {
    await agent.ask('One more?', { work: 't-1' });
    await contextMenu(window, 'One more?', 'Dismiss All Questions of This Agent…');
    const form = await window.webview('main[data-view="releaseAll"]');
    assert.equal(await form.locator('.all-list > li').count(), 1);
    assert.equal((await gate()).code, 2);
    await form.locator('[data-act="leave"]').click();
    await questionShown(window);
    assert.deepEqual(window.webviewErrors, []);
  });

  it('held work is deleted by hand; its question stays open', async () => {
    await window.run('holdpoint.work.open');
    const form = await window.webview('main[data-view="work"]');
    assert.match(await form.locator('article').innerText(), /Held by 1 question or RFC, which stays open\s+One more\?/);
    await decideInTwoSteps(form);
    await questionShown(window);
    const { state } = agent.workspace.standing();
    assert.equal(state?.work.get('t-1')?.status, 'deleted');
    await selectInTree(window, 'One more?');
    await questionShown(window);
    assert.equal(state.undecided.size, 1);
    assert.deepEqual(window.webviewErrors, []);
  });

  it('one after another, by keys: nothing is recorded while it can be taken back, and what was is never', async () => {
    await window.command('Holdpoint: Edit Rules…');
    const rules = await window.webview('main[data-view="policy"]');
    await rules.locator('#undo').fill('60');
    await decideInTwoSteps(rules);
    await rules.locator('.notice-info[data-focus="result"]').waitFor();
    const choices = [{ label: 'Yes' }, { label: 'No' }];
    for (const text of ['First?', 'Second?', 'Third?'])
      await agent.ask(text, { work: 't-1', urgency: 'high', choices });
    const shown = async (text: string) => {
      const form = await window.webview('body.queue main[data-view="question"][data-ready="true"]');
      await form.locator('#question', { hasText: text }).waitFor();
      await readAll(form);
      await form.locator('main[data-ready="true"]').waitFor();
    };
    const answer = async (key: string) => {
      await window.page.keyboard.press(key);
      await window.page.keyboard.press('Control+Enter');
    };
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('j');
    await shown('First?');
    await answer('1');
    await shown('Second?');
    await answer('1');
    await shown('Third?');
    await window.page.keyboard.press('Control+z');
    await shown('Second?');
    await window.page.keyboard.press('j');
    await shown('Third?');
    await answer('2');
    await shown('One more?');
    // Letters are text here.
    const last = await window.webview('body.queue main[data-view="question"][data-ready="true"]');
    await last.locator('[data-act="queue-next"]').click();
    const end = await window.webview('body.queue main[data-view="nothing"]');
    await end.getByRole('heading', { name: '2 items are still waiting' }).waitFor();
    await end.locator('.queue-bar', { hasText: '2 of 4 done' }).waitFor();
    const answers = () =>
      [...(agent.workspace.standing().state?.questions.values() ?? [])]
        .slice(-3)
        .map(({ resolution }) => resolution?.answer?.choices);
    assert.deepEqual(answers(), [undefined, undefined, undefined]);
    await window.screenshot('queue-end');
    // What the human decided on the third was about less than it holds now.
    await agent.ask('Third?', { work: 't-1', urgency: 'high', choices, holds: ['db/**'] });
    // The decisions stand: closing the tab sends them now.
    await window.command('View: Close Editor');
    await window.page.locator('.statusbar-item', { hasText: '3 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    await window.page
      .locator('.notifications-center .notification-list-item', {
        hasText: /was not recorded\. The question has changed/,
      })
      .waitFor();
    await window.command('Notifications: Clear All Notifications');
    assert.deepEqual(answers(), [['Yes'], undefined, undefined]);
    const journal = readFileSync(journalPath(agent.workspace.location.root), 'utf8');
    assert.equal(journal.match(/"kind":"question\.answered"/g)?.length, 2);
    assert.deepEqual(window.webviewErrors, []);
  });

  it('assumptions of several questions are confirmed in one act from the tree: those that stay ticked, each signed', async () => {
    const wait = { mode: 'async', type: 'clarification' } as const;
    const kept = await agent.ask('How long are logs kept?', { ...wait, assumption: '30 days' });
    const other = await agent.ask('Which locale?', { ...wait, assumption: 'en-GB' });
    const critical = await agent.ask('Delete old exports?', { ...wait, urgency: 'critical', assumption: 'Yes' });
    const last = await agent.ask('Which Node version?', { ...wait, assumption: '24' });
    await selectInTree(window, 'Confirm all 4 assumptions…');
    const form = await window.webview('main[data-view="assumptions"][data-ready="true"]');
    assert.deepEqual(await form.locator('.assumed-answer').allInnerTexts(), [
      'Assumes: 30 days',
      'Assumes: en-GB',
      'Assumes: Yes',
      'Assumes: 24',
    ]);
    await form.locator('.assumed input').nth(1).click();
    await form.locator('[data-act=decide]', { hasText: 'Confirm 2 assumptions' }).click();
    await form
      .locator('.notice-info[data-focus="result"]', { hasText: `Confirmed: ${kept.id}, ${last.id}.` })
      .waitFor();
    const answerOf = ({ id }: QuestionView) => agent.workspace.standing().state?.questions.get(id)?.resolution?.answer;
    assert.deepEqual(
      [kept, other, critical, last].map((one) => answerOf(one)?.text),
      ['Yes: 30 days', undefined, undefined, 'Yes: 24'],
    );
    assert.deepEqual(agent.workspace.standing().state?.refusals, []);
    // The rest is confirmed as well, in two steps: then the form shows how one of them ended.
    for (const row of [0, 1]) {
      const box = form.locator('.assumed input').nth(row);
      if (!(await box.isChecked())) await box.click();
    }
    await decideInTwoSteps(form);
    const result = await window.webview('.result-line:has-text("answered")');
    assert.match(await result.locator('.result').innerText(), /You answered[^]*Yes: /);
    assert.deepEqual([answerOf(other)?.text, answerOf(critical)?.text], ['Yes: en-GB', 'Yes: Yes']);
    assert.deepEqual(window.webviewErrors, []);
  });

  it('questions of the same shape are one row and one form: one act answers those that stay ticked', async () => {
    const approve = { type: 'approval', urgency: 'high' } as const;
    const asked = [];
    for (const name of ['zod', 'vite', 'left-pad']) asked.push(await agent.ask(`Add dependency ${name}?`, approve));
    await selectInTree(window, 'Add dependency …?');
    const form = await window.webview('main[data-view="together"][data-ready="true"]');
    assert.deepEqual(await form.locator('.alike-part').allInnerTexts(), ['zod', 'vite', 'left-pad']);
    await form.locator('.assumed input').nth(1).click();
    await form.getByRole('radio', { name: 'Yes' }).click();
    await form.locator('[data-act=decide]', { hasText: 'Answer 2 questions “Yes”' }).click();
    const result = await window.webview('.result-line:has-text("answered")');
    await result.locator('[data-part="with"]', { hasText: asked[0]!.id }).waitFor();
    const { state } = agent.workspace.standing();
    assert.deepEqual(
      asked.map(({ id }) => state?.questions.get(id)?.resolution?.answer?.choices),
      [['Yes'], undefined, ['Yes']],
    );
    assert.deepEqual(state?.refusals, []);
    assert.deepEqual(window.webviewErrors, []);
    await selectInTree(window, 'Add dependency vite?');
    const shown = await questionShown(window);
    await shown.getByRole('heading', { name: 'Add dependency vite?' }).waitFor();
    assert.equal(await shown.locator('[data-act=together]').count(), 0);
    const alone = await readAll(shown);
    await pick(alone, { choice: 'Yes' });
    await alone.locator('[data-act=decide]').click();
    await alone.locator('[data-part=undo]').waitFor();
  });

  it('a long context is whole in a tab, with hidden characters as codes', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `+ line ${String(n)}`);
    const context = ['diff --git a/x.ts b/x.ts', '--- a/x.ts', '+++ b/x.ts', '@@ -1 +1,40 @@', '+a\u202eb', ...lines];
    const files = [{ path: 'src/auth.js', line: 3 }];
    await agent.ask('Merge this change?', { urgency: 'high', context: context.join('\n'), files });
    await selectInTree(window, 'Merge this change?');
    const form = await questionShown(window);
    // The tab is that of the question shown, which may still be the one before.
    await form.getByRole('heading', { name: 'Merge this change?' }).waitFor();
    await form.locator('[data-act=open-tab]').click();
    const tab = await window.webview('body.tab main[data-view="question"]');
    const snippet = tab.locator('.snippet');
    await snippet.locator('.unseen', { hasText: 'U+202E' }).waitFor();
    assert.match(await snippet.innerText(), /\+ line 39$/);
    await tab.getByRole('button', { name: /Open src\/auth\.js/ }).click();
    await until('the file is open at its line', () =>
      window.evaluate(
        ({ vscode }) => Promise.resolve(vscode.window.activeTextEditor?.selection.active.line === 2),
        undefined,
      ),
    );
    assert.deepEqual(window.webviewErrors, []);
  });
});
