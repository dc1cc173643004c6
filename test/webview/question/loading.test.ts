/** Before its first snapshot, which may take seconds, a view says that it is loading. */
import assert from 'node:assert/strict';
import { startHarness, type Form, type Harness } from '../harness.ts';
import { plain, snapshot } from './samples.ts';

describe('a view without a snapshot', () => {
  let harness: Harness;
  let form: Form;
  before(async () => {
    harness = await startHarness();
    form = await harness.open();
  });
  after(async () => {
    await form.close();
    await harness.close();
  });

  const said = () =>
    form.page.evaluate(() => {
      const { content, visibility } = getComputedStyle(document.body, '::after');
      return content === 'none' ? '' : `${content} ${visibility}`;
    });

  it('says so, not before a second has passed, and no longer once it has one', async () => {
    // The animation is paused at its ends, so that no time passes in between.
    const at = (ms: number) =>
      form.page.evaluate((time) => {
        for (const animation of document.getAnimations()) {
          animation.pause();
          animation.currentTime = time;
        }
      }, ms);
    await at(999);
    assert.equal(await said(), '"Loading…" hidden');
    await at(1_000);
    assert.equal(await said(), '"Loading…" visible');
    await form.send(snapshot(plain()));
    assert.equal(await said(), '');
    assert.deepEqual(form.complaints, []);
  });
});
