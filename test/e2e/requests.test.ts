import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequest, registerResponsibility, type CreateInput } from '../../src/app/request/requests.ts';
import { listRequests, requestDetails } from '../../src/app/request/views.ts';
import type { Store } from '../../src/store/store.ts';
import { selectInTree } from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const session = { actor: { kind: 'agent', id: 'builder-001', worktree: '.' }, host: 'test' } as const;
const ask: CreateInput['ask'] = {
  type: 'request_for_action',
  payload: { suggested_actions: [], links: [], tags: [] },
};

describe('Requests of agents to a human', () => {
  let { workspace, editor, window, agent } = {} as OnSample;
  let standing: Store;
  onSample(
    async (opened) => {
      ({ workspace, editor, window, agent } = opened);
      standing = await agent.workspace.store();
    },
    { settings: { 'holdpoint.mirrors': true } },
  );

  const row = async (id: string) => requestDetails((await agent.workspace.store()).read(), id);
  const mirror = () => path.join(workspace.folder, '.holdpoint', 'queue', 'inbox', 'R-1.md');

  const view = () => standing.read();
  const requests = () => listRequests(view(), { box: 'all', of: [], limit: 100 }).requests;
  const refusals = () => view().state.refusals;

  it('are possible once a human has appointed one, in a form and in two steps', async () => {
    await window.run('holdpoint.responsibility.appoint');
    const form = await window.webview('main[data-view="appoint"][data-ready="true"]');
    await form.locator('#id').fill('ada@shop');
    await form.locator('#called').fill('Ada');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
    await form.locator('.notice', { hasText: 'Saved: Ada (ada@shop).' }).waitFor();
    const { state } = (await agent.workspace.store()).read();
    assert.deepEqual(
      [...state.responsibilities.values()].map(({ id, kind, agents }) => [id, kind, agents]),
      [['ada@shop', 'human', []]],
    );
    assert.deepEqual(state.refusals, []);
  });

  it('stand in the tree, and an agent cannot answer them', async () => {
    const store = await agent.workspace.store();
    await registerResponsibility(store, session, { id: 'backend', kind: 'agent', name: 'Backend', agents: [] });
    await createRequest(store, session, {
      ask,
      target: 'ada@shop',
      subject: 'Renew the certificate',
      summary: 'It ends on **4 March**.',
    });
    await window.command('Focus on Waiting for You View');
    await window.page.locator('.monaco-list-row', { hasText: 'Inbox' }).waitFor();
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    const tried = await holdpoint(
      { workspace: workspace.folder, env: editor.env },
      'request',
      'respond',
      'R-1',
      '--action',
      'accept',
    );
    assert.equal(tried.code, 2);
    assert.match(tried.err, /for ada@shop, a human: it is answered in a form of the editor/);
    await until('the mirror', () => fs.existsSync(mirror()));
    assert.match(fs.readFileSync(mirror(), 'utf8'), /^status: pending$/m);
  });

  it('are acknowledged when they are opened, and accepted by a click', async () => {
    await selectInTree(window, 'Renew the certificate');
    const form = await window.webview('main[data-view="request"][data-ready="true"]');
    await form.locator('.choice-label', { hasText: /^Accept$/ }).click();
    await form.locator('#text').fill('Tomorrow.');
    await window.screenshot('request');
    await until('the acknowledgement', async () => (await row('R-1'))?.acknowledged_at != null);
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('.notice', { hasText: 'Accepted. backend can see it.' }).waitFor();
    const accepted = await row('R-1');
    assert.deepEqual(
      [accepted?.status, accepted?.accepted_by, accepted?.note],
      ['accepted', 'Ada Lovelace', 'Tomorrow.'],
    );
    const happened = accepted?.events.map(({ event_type }) => event_type) ?? [];
    // The form may show the only item of the list before the agent tries to answer it, or after.
    assert.deepEqual(
      happened.filter((type) => type !== 'acknowledged'),
      ['created', 'released', 'refused', 'accepted'],
    );
    assert.equal(happened.filter((type) => type === 'acknowledged').length, 1);
    await until('the mirror', () => /^status: accepted$/m.test(fs.readFileSync(mirror(), 'utf8')));
  });

  it('are completed there, too, and then wait no more', async () => {
    const form = await window.webview('main[data-view="request"][data-ready="true"]');
    await form.locator('.choice-label', { hasText: /^Complete$/ }).click();
    await form.locator('#text').fill('Renewed until 2028.');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await until('the end', async () => (await row('R-1'))?.status === 'completed');
    await window.page.locator('.monaco-list-row', { hasText: 'Inbox' }).waitFor({ state: 'hidden' });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor({ state: 'hidden' });
    assert.deepEqual((await agent.workspace.store()).read().state.refusals, []);
  });

  it('are made by a human, too, in a form, and stand in the outbox', async () => {
    await window.command('Holdpoint: New Request…');
    const form = await window.webview('main[data-view="ask"][data-ready="true"]');
    await form.locator('#target').selectOption('backend');
    await form.locator('#subject').fill('Rotate the keys');
    await form.locator('#summary').fill('They are **two years** old.');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('.notice', { hasText: /Sent: R-\d+ to Backend\./ }).waitFor();
    const asked = requests().find(({ subject }) => subject === 'Rotate the keys');
    assert.deepEqual(
      [asked?.authored_by, asked?.origin_responsibility_id, asked?.target_responsibility_id, asked?.status],
      ['human', 'ada@shop', 'backend', 'pending'],
    );
    await window.page.locator('.monaco-list-row', { hasText: 'Outbox' }).waitFor();
    await window.screenshot('request-new');
    const file = path.join(workspace.folder, '.holdpoint', 'queue', 'outbox', `${asked?.id ?? ''}.md`);
    await until('the mirror', () => fs.existsSync(file));
    assert.match(fs.readFileSync(file, 'utf8'), /^authored_by: human$/m);
    const listed = await holdpoint(
      { workspace: workspace.folder, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } },
      ...['request', 'list', '--box', 'inbox', '--responsibility', 'backend'],
    );
    assert.match(listed.out, /ada@shop to backend .*Rotate the keys/, listed.err);
    await selectInTree(window, 'Rotate the keys');
    const sent = await window.webview('main[data-view="request"][data-ready="true"]');
    await sent.locator('.choice-label', { hasText: /^Withdraw$/ }).click();
    await sent.locator('#text').fill('Done already.');
    await sent.locator('main[data-ready="true"] [data-act="decide"]').click();
    await until('the end', () => requests().every(({ status }) => status === 'completed' || status === 'cancelled'));
    assert.deepEqual(refusals(), []);
  });

  it('notify once when they are overdue', async () => {
    // What a visible list has comes without a notification.
    await window.command('View: Show Explorer');
    const store = await agent.workspace.store();
    await createRequest(store, session, {
      ask,
      ...{ target: 'ada@shop', subject: 'Sign the contract', summary: 'Please.', responseSeconds: 1 },
      idempotencyKey: 'late',
    });
    const notices = window.page.locator('.notifications-center .notification-list-item', {
      hasText: 'Backend is overdue for an answer from Ada: Sign the contract',
    });
    await window.command('Notifications: Show Notifications');
    await notices.waitFor();
    await window.command('Focus on Waiting for You View');
    await window.page.locator('[role="treeitem"]', { hasText: 'overdue' }).waitFor();
    await agent.register('t-late', 'Anything at all');
    await window.reload();
    await extensionReady(window);
    await window.page.locator('[role="treeitem"]', { hasText: 'overdue' }).waitFor();
    await agent.register('t-later', 'Anything else');
    await window.command('Notifications: Show Notifications');
    assert.equal(await notices.count(), 0);
  });
});
