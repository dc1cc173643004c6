/** The overview in an editor tab: live, opens forms, comes back after a reload. */
import assert from 'node:assert/strict';
import { proposeRfc } from '../../src/app/rfc/rfcs.ts';
import { answerAsHuman, questionShown } from '../support/answerForm.ts';
import { extensionReady } from '../support/tools.ts';
import { writtenDown } from '../support/writtenDown.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('The overview', () => {
  let { editor, window, agent } = {} as OnSample;
  onSample((opened) => {
    ({ editor, window, agent } = opened);
  });

  const shown = () => window.webview('main[data-view="dashboard"]');

  it('is empty at first, and follows what agents do', async () => {
    await window.command('Holdpoint: Open Overview');
    const page = await shown();
    await page.getByText('No agents yet.').waitFor();
    await page.getByText('Nothing is held.').waitFor();
    await agent.register('w-1', 'Release', { workKind: 'workflow', status: 'todo', assignee: null });
    await agent.register('t-1', 'API tokens', { workflow: 'w-1' });
    await agent.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'critical' });
    await page.getByText('Held: 1 workflow · 2 tasks').waitFor();
    await page.getByRole('button', { name: 'JWT or sessions?' }).first().waitFor();
    await window.screenshot('overview');
  });

  it('opens the form of what holds; the answer is seen in all parts', async () => {
    const page = await shown();
    await page.getByRole('button', { name: 'JWT or sessions?' }).first().click();
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'JWT or sessions?' }).waitFor();
    await answerAsHuman(form, { text: 'Sessions' });
    await page.getByText('Nothing is held.').waitFor();
    await page.getByText('Decided, not picked up yet').waitFor();
    await page.getByText('Time to answer').first().waitFor();
    assert.equal(await page.getByText('in the queue').count(), 0, 'this workspace has no requests');
  });

  it('opens the review of an RFC that holds', async () => {
    await window.command('Holdpoint: Open Overview');
    const page = await shown();
    const store = await agent.workspace.store();
    const session = { actor: { kind: 'agent', id: 'builder-001', worktree: '.' }, host: 'test' } as const;
    const known = [...store.read().state.rfcs.values()].find(({ title }) => title === 'Token design');
    if (!known)
      await proposeRfc(store, session, {
        ...{ title: 'Token design', workflows: ['w-1'], tasks: [], holds: [], contexts: [], submit: true },
      });
    await page.getByRole('button', { name: 'Token design' }).first().click();
    const review = await window.webview('main[data-view="rfc"]');
    await review.getByText('Token design').first().waitFor();
    await window.command('View: Close Editor');
    const back = await shown();
    await back.locator('summary', { hasText: 'Questions per day' }).click();
    await back.getByRole('rowheader', { name: 'Today' }).waitFor();
  });

  it('is where it was after a reload of the window', async () => {
    await writtenDown(editor, window, /humans\.days/);
    await window.reload();
    await extensionReady(window);
    const page = await shown();
    await page.getByRole('rowheader', { name: 'Today' }).waitFor();
    await agent.ask('Which port?', { urgency: 'low' });
    await page.getByRole('button', { name: 'Which port?' }).first().waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });
});
