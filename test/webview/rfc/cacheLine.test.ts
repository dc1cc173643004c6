/** The line about the prompt cache of an agent that waits for the decision. */
import assert from 'node:assert/strict';
import type { RfcMessage, RfcSnapshot } from '../../../src/protocol/rfc/rfc.ts';
import { openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import type { Form } from '../harness.ts';
import { full, snapshot, states } from './samples.ts';

describe('the review: the line about the cache', function () {
  this.timeout(30_000);
  let form: Form<RfcMessage, RfcSnapshot>;
  openForEach(rfcSurface, (opened) => {
    form = opened;
  });

  it('says how long the cache lasts, and nothing where it is unknown', async () => {
    const line = form.page.locator('[data-part=cache]');
    await form.send(states['cacheLeft']!());
    assert.match((await line.innerText()).trim(), /^4 min until its cache expires \(180k tokens\)$/);
    await form.send(snapshot(full()));
    assert.equal(await line.count(), 0);
  });
});
