/** Decisions that take several people: the form says who must decide and who has signed, and fills in the same. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { defaultPolicy } from '../../../src/core/state/state.ts';
import { changedPolicy } from '../../../src/ui/answer/policy.ts';
import { ruleRows } from '../../../src/ui/answer/policyTable.ts';
import { addPasskeyRule, readAll } from '../../support/answerForm.ts';
import { settle } from '../settled.ts';
import { leaveView, policyView, shareView, snapshot, states } from './samples.ts';

describe('the form: decisions that take several people', () => {
  const form = openForEach(questionSurface);
  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);

  it('fills in what the others signed; sending it is a step of its own', async () => {
    await form.send(states['severalPeople']!());
    await readAll(form.page);
    const people = form.page.locator('[data-part=people]');
    assert.match((await people.textContent()) ?? '', /2 of Ada Lovelace, grace, linus must decide this/);
    assert.equal(await act('sign-same').count(), 1, 'not for what is signed already');
    await act('sign-same').click();
    assert.equal(await form.page.locator('#text').inputValue(), 'For now.');
    assert.deepEqual(await form.posted(), []);
    await act('decide').click();
    const { choices, text } = await onlyPosted(form, 'answer');
    assert.deepEqual([choices, text], [['Sessions'], 'For now.']);
  });

  it('cannot be sent by somebody whom the policy does not name', async () => {
    await form.send(states['unlisted']!());
    await form.page.getByText('The policy does not list Ada Lovelace').waitFor();
    assert.equal(await act('decide').count(), 0);
  });

  it('are set in the policy, a row for each rule', async () => {
    await form.send(snapshot(policyView()));
    await act('add-rules').click();
    await form.page.locator('#rules-0-globs').fill('payments/**');
    await act('decide').click();
    assert.equal(await form.page.locator('.hint').innerText(), 'Choose who decides.');
    await form.page.locator('#rules-0-count').fill('2');
    for (const name of ['Ada Lovelace', 'Linus'])
      await form.page.locator(`[data-focus="rules-0-people-${name}"]`).check();
    await addPasskeyRule(form.page, 1, 'critical');
    await act('decide').click();
    const step = await form.page.locator('.second-step').innerText();
    assert.match(step, /Files: payments\/\*\* · Decided by: several people · Minimum: 2 · People: Ada Lovelace, Linus/);
    assert.match(step, /Items: critical · Files: all · Decided by: a passkey, in a browser/);
    await settle(form.page);
    await act('confirm').click();
    const { values } = await onlyPosted(form, 'policy');
    assert.deepEqual(changedPolicy(defaultPolicy, values, { isShared: false, people: [], responsibilities: [] }), {
      ...defaultPolicy,
      quorum: { rules: [{ globs: ['payments/**'], people: ['Ada Lovelace', 'Linus'], count: 2 }] },
      passkeys: { rules: [{ urgencies: ['critical'] }] },
    });
  });

  it('take over the rules that others have signed', async () => {
    const looser = { quorum: { rules: [{ globs: ['payments/**'], people: ['Linus'], count: 1 }] } };
    const proposedRules = [{ text: '1 of 2: grace approved', rules: JSON.stringify(ruleRows(looser)) }];
    await form.send(snapshot(policyView({ proposedRules })));
    await act('same-rules').click();
    assert.equal(await form.page.locator('#rules-0-globs').inputValue(), 'payments/**');
  });
});

/** The forms about a team: what they show before anything happens, and what they send. */
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
