/** The line about the agent's prompt cache: live, and nothing where it is unknown. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import type { Form } from '../harness.ts';
import { before, full, snapshot, states } from './samples.ts';

describe('the line about the cache', function () {
  this.timeout(30_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });
  const line = () => form.page.locator('[data-part=cache]');

  it('says how long the cache lasts, then since when it has expired, with the tokens', async () => {
    await form.send(states['cacheLeft']!());
    assert.match((await line().innerText()).trim(), /^4 min until its cache expires \(180k tokens\)$/);
    await form.send(states['cacheExpired']!());
    assert.match((await line().innerText()).trim(), /^Its cache expired 12 min ago \(1\.2M tokens\)$/);
    await form.send(snapshot(full({ cache: { expiresAt: before(-0.5), tokens: 950 } })));
    assert.match((await line().innerText()).trim(), /^under a minute until its cache expires \(950 tokens\)$/);
    await form.send(snapshot(full()));
    assert.equal(await line().count(), 0);
  });
});
