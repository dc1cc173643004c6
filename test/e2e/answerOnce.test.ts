/**
 * The same question again: the agent gets the earlier answer, the human sees it, and can end it. Then a No that is answered
 * in the form: programs hear it as a refusal, until it is lifted there.
 */
import assert from 'node:assert/strict';
import { answerAsHuman, openWays, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { notificationShown } from '../support/notices.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('Answer once, and refuse', () => {
  let { workspace, editor, window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, window, agent } = opened);
    await agent.register('t-1', 'API tokens');
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high' });
    await showAnswerView(window);
    await answerAsHuman(await questionShown(window), { text: 'Sessions' });
  });

  let refused = '';
  const outcomeOf = (id: string) =>
    holdpoint({ workspace: workspace.folder, env: editor.env }, 'question', 'await', id);

  /** Another agent asks the same on the same work. */
  const askAgain = async () => {
    const env = { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-002' };
    const words = ['--text', 'JWT or sessions?', '--blocking-task-id', 't-1', '--mode', 'sync'];
    const asked = await holdpoint({ workspace: workspace.folder, env }, 'question', 'create', ...words);
    return asked.out + asked.err;
  };

  it('the human sees to whom the answer was given again', async () => {
    assert.match(await askAgain(), /This was answered on .* \(Q-1\): "Sessions"/);
    const form = await questionShown(window);
    await form.locator('[data-part="again"]', { hasText: 'Reused by builder-002' }).waitFor();
    await selectInTree(window, 'Answered recently');
    await window.page.getByRole('treeitem', { name: /JWT or sessions\?, reused 1×/ }).waitFor();
    await form.locator('summary', { hasText: 'History' }).click();
    await form.getByText('builder-002 asked the same question and got this answer').waitFor();
    await window.screenshot('answer-once');
  });

  it('revokes it with a reason; then the same question goes to the human again', async () => {
    const form = await questionShown(window);
    await form.locator('[data-act="revoke"]').click();
    await form.locator('#text').fill('It depends on the service.');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('[data-part="revoked"]', { hasText: 'You stopped reusing it just now' }).waitFor();
    assert.equal(await form.locator('[data-act="revoke"]').count(), 0);
    await window.screenshot('answer-revoked');
    assert.doesNotMatch(await askAgain(), /answered on/);
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });

  it('asked back: the waiting agent gets it and replies, which notifies; then it is answered', async () => {
    const shell = { workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } };
    const { id } = await agent.ask('Drop the old table?', { work: 't-1', urgency: 'high' });
    await selectInTree(window, 'Drop the old table?');
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'Drop the old table?' }).waitFor();
    const waiting = holdpoint(shell, 'question', 'await', id);
    await openWays(form);
    await form.locator('[data-act="askBack"]:visible, [data-act="ask-back"]:visible').first().click();
    await form.locator('textarea[data-focus="text"]').fill('Is there a backup?');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.getByText('Waiting for the reply of').waitFor();
    await window.page
      .getByRole('treeitem', { name: /Drop the old table\?, .*waiting for the agent’s reply/ })
      .waitFor();
    const asked = await waiting;
    assert.equal(asked.code, 3);
    assert.match(asked.out, /asks builder-001 something about .*"Is there a backup\?".*question reply/);
    // What a visible list has comes without a notification.
    await window.command('View: Show Explorer');
    const replied = await holdpoint(shell, 'question', 'reply', id, '--text', 'Yes, of **last night**.');
    assert.equal(replied.code, 0, replied.err);
    await notificationShown(window, 'builder-001 replied');
    await window.command('Notifications: Clear All Notifications');
    await showAnswerView(window);
    const again = await questionShown(window);
    await again.locator('.thread', { hasText: 'Yes, of last night.' }).waitFor();
    const settled = holdpoint(shell, 'question', 'await', id);
    await answerAsHuman(again, { text: 'Then drop it.' });
    assert.match((await settled).out, new RegExp(`${id} answered by .*"Then drop it`));
  });

  it('a No in the form ends the wait of an agent with exit code 2', async () => {
    const { id } = await agent.ask('May I drop the table?', { work: 't-1', type: 'approval', urgency: 'high' });
    refused = id;
    await selectInTree(window, 'May I drop the table?');
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'May I drop the table?' }).waitFor();
    await answerAsHuman(form, { choice: 'No', text: 'Never.' });
    await form.locator('.result-line', { hasText: 'do not do this' }).waitFor();
    const { code, out, err } = await outcomeOf(refused);
    assert.equal(code, 2, out + err);
    assert.match(out + err, new RegExp(`Do not do what ${refused} asked`));
    await window.page.getByRole('treeitem', { name: /refused, May I drop the table\?/ }).waitFor();
    await window.screenshot('refused');
  });
});
