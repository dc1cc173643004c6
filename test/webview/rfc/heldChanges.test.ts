/** Changes of held files in a review: what changed during which call, and one message for each way out. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { changed, full, snapshot } from './samples.ts';

describe('the review: held files that changed', () => {
  const form = openForEach(rfcSurface);
  const section = () => form.page.locator('[data-part=changes]');
  const act = (name: string, at = 0) => section().locator(`[data-act="${name}"]`).nth(at);
  const path = 'src/login/session.ts';

  it('names the call, and compares and restores without a signature', async () => {
    await form.send(snapshot(changed()));
    await section().getByText('Changed during npm run fmt -- --write .').waitFor();
    await settle(form.page);
    await act('compare-held').click();
    const { key } = changed();
    assert.deepEqual(await onlyPosted(form, 'compareHeld'), { type: 'compareHeld', key, path });
    await act('restore-held').click();
    assert.deepEqual((await form.posted()).at(-1), { type: 'restoreHeld', key, path });
  });

  it('accepts what is on the screen, and says why that failed', async () => {
    const sent = snapshot(changed());
    await form.send(sent);
    await settle(form.page);
    await act('accept-change').click();
    const { act: name, ...rest } = await onlyPosted(form, 'acceptChanges');
    const render = 'render' in sent.view && sent.view.render;
    assert.deepEqual(rest, { type: 'acceptChanges', key: changed().key, shown: 'sha256-rfc3-changed', render, path });
    const refused = {
      type: 'refused',
      act: name,
      reason: 'changed',
      text: 'This has changed since it was shown.',
    } as const;
    await form.send(snapshot(changed(), { outcome: refused }));
    await section().getByText('This has changed since it was shown.').waitFor();
    await settle(form.page);
    await act('accept-changes').click();
    const all = (await form.posted()).at(-1);
    assert.ok(all?.type === 'acceptChanges' && !('path' in all));
    await form.send(snapshot(full(), { outcome: { type: 'done', act: all.act, text: 'Accepted.' } }));
    assert.equal(await section().count(), 0);
  });
});
