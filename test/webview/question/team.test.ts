/** The forms about a team: what they show before anything happens, and what they send. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { leaveView, shareView, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';

describe('the forms about a team', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const types = async () => (await form.posted()).map(({ type }) => type);

  it('sharing shows what everybody will see, then asks, then sends the name', async () => {
    await form.send(snapshot(shareView()));
    const text = await form.page.locator('main').innerText();
    for (const shown of ['214 questions', '1,380 events', 'Q-12', 'postgresql://shop:', '3f9a'])
      assert.ok(text.includes(shown), shown);
    await form.page.locator('#called').fill('web-shop');
    await act('decide').click();
    assert.deepEqual(await types(), []);
    await settle(form.page);
    await act('confirm').click();
    const sent = (await form.posted()).find(({ type }) => type === 'share') as Record<string, unknown> | undefined;
    assert.deepEqual([sent?.['called'], sent?.['confirmed'], sent?.['shown']], ['web-shop', true, 'sha256-share']);
  });

  it('the confirmation of sharing names the server and both logins, and another login takes it back', async () => {
    await form.send(snapshot(shareView()));
    await act('decide').click();
    const members = await form.page.locator('.second-step [data-note="members"]').innerText();
    for (const name of ['holdpoint.db.example', 'ada', 'ada_agent']) assert.ok(members.includes(name), name);
    await form.send(snapshot(shareView({ agents: 'mallory' })));
    assert.equal(await act('confirm').count(), 0);
    await settle(form.page);
    await act('decide').click();
    assert.match(await form.page.locator('[data-note="members"]').innerText(), /mallory/);
    assert.ok(!(await types()).includes('share'));
  });

  it('sharing needs a login and a name that the server accepts', async () => {
    await form.send(states['shareFirst']!());
    await act('decide').click();
    assert.match(await form.page.locator('#hint-connect').innerText(), /Connect/);
    await form.page.locator('#called').fill('No Name!');
    await act('decide').click();
    assert.match(await form.page.locator('#hint-called').innerText(), /1 to 64/);
    assert.ok(!(await types()).includes('share'));
    await act('connect').click();
    assert.ok((await types()).includes('connectTeam'));
  });

  it('leaving says what stops, and takes two steps', async () => {
    await form.send(snapshot(leaveView()));
    assert.match(await form.page.locator('main').innerText(), /do not arrive here/);
    await act('decide').click();
    assert.deepEqual(await types(), []);
    await settle(form.page);
    await act('confirm').click();
    assert.deepEqual(await types(), ['leaveTeam']);
  });
});
