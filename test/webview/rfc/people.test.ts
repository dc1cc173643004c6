/** An RFC that takes several people: the head says who has signed, and fills in the same. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { states } from './samples.ts';

describe('the review: decisions that take several people', () => {
  const form = openForEach(rfcSurface);

  it('fills in the terms that the others signed; approving is a step of its own', async () => {
    await form.send(states['severalPeople']!());
    await form.page.getByText('2 of Ada Lovelace, grace, linus must decide this.').waitFor();
    await form.page.locator('[data-act="sign-same"]').click();
    await settle(form.page);
    assert.deepEqual(await form.posted(), []);
    await form.page.locator('[data-act="decide"]').click();
    const { conditions } = await onlyPosted(form, 'approve');
    assert.deepEqual(conditions, ['Log every refund', 'At most 100 a day']);
  });

  it('offers no decision to somebody whom the policy does not name', async () => {
    await form.send(states['unlisted']!());
    await form.page.getByText('The policy does not list Ada Lovelace').waitFor();
    assert.equal(await form.page.locator('[data-act="approve"]').count(), 0);
  });
});
