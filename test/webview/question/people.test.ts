/** Decisions that take several people: the form says who must decide and who has signed, and fills in the same. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface, type Form } from '../harness.ts';
import { readAll } from '../../support/answerForm.ts';
import { settle } from '../settled.ts';
import { policyView, snapshot, states } from './samples.ts';

describe('the form: decisions that take several people', function () {
  this.timeout(30_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });
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
    await form.page.getByText('The policy does not name Ada Lovelace').waitFor();
    assert.equal(await act('decide').count(), 0);
  });

  it('are set in the policy, one rule per line', async () => {
    await form.send(snapshot(policyView()));
    await form.page.locator('#rules').fill('\n payments/**: 2 of ada, grace \n\neverything: 1 of ada');
    await act('decide').click();
    await form.page.getByText('Change the policy?').waitFor();
    await settle(form.page);
    await act('confirm').click();
    const { rules } = await onlyPosted(form, 'policy');
    assert.deepEqual(rules, ['payments/**: 2 of ada, grace', 'everything: 1 of ada']);
  });

  it('take over the rules that others have signed', async () => {
    const rules = ['payments/**: 1 of ada'];
    await form.send(snapshot(policyView({ proposedRules: [{ text: '1 of 2: grace approved', rules }] })));
    await act('same-rules').click();
    assert.equal(await form.page.locator('#rules').inputValue(), rules[0]);
  });
});
