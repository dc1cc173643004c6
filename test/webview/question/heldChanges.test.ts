/** Changes of held files in the form: what changed during which call, and one message for each way out. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { full, givenAgain, heldChanges, snapshot } from './samples.ts';

describe('the form: held files that changed', () => {
  const form = openForEach(questionSurface);
  const section = () => form.page.locator('[data-part=changes]');
  const act = (name: string, at = 0) => section().locator(`[data-act="${name}"]`).nth(at);

  it('names the call, and compares and restores without a signature', async () => {
    await form.send(snapshot(full({ changes: heldChanges })));
    await section().getByText('Changed during npm run fmt -- --write .').waitFor();
    await section().getByText('Changed outside of any call that Holdpoint saw').waitFor();
    await settle(form.page);
    await act('compare-held').click();
    const path = 'src/login/session.ts';
    assert.deepEqual(await onlyPosted(form, 'compareHeld'), { type: 'compareHeld', key: 'w1/Q-12', path });
    await act('restore-held').click();
    assert.deepEqual((await form.posted()).at(-1), { type: 'restoreHeld', key: 'w1/Q-12', path });
  });

  it('accepts one change, bound to what is on the screen, and keeps the draft', async () => {
    const sent = snapshot(full({ changes: heldChanges }));
    await form.send(sent);
    await form.page.keyboard.press('2');
    await settle(form.page);
    await act('accept-change', 1).click();
    const { act: name, ...rest } = await onlyPosted(form, 'acceptChanges');
    const render = 'render' in sent.view && sent.view.render;
    const path = 'src/login/cookies.ts';
    assert.deepEqual(rest, { type: 'acceptChanges', key: 'w1/Q-12', shown: 'sha256-q12', render, path });
    await form.send(snapshot(full(), { outcome: { type: 'done', act: name, text: 'Accepted.' } }));
    assert.equal(await section().count(), 0);
    assert.equal(
      await form.page.locator('[role=radio][aria-checked=true], input:checked').count(),
      1,
      'the draft stays',
    );
  });

  it('accepts all, also of a decided question whose baseline is lost', async () => {
    await form.send(snapshot({ ...givenAgain(), changes: { ...heldChanges, lost: true } }));
    await section().getByText('Holdpoint can’t tell which held files changed').waitFor();
    await settle(form.page);
    await act('accept-changes').click();
    assert.equal('path' in (await onlyPosted(form, 'acceptChanges')), false);
  });

  it('shows names and calls as text, and in a browser only says where to go on', async () => {
    const [file] = heldChanges.files;
    assert.ok(file);
    const files = [{ ...file, path: 'src/<b>a</b>\u202e.ts', call: '<img src=x>\u202e' }];
    await form.send(snapshot(full({ changes: { files, lost: false, here: false, compare: false } })));
    assert.match((await section().textContent()) ?? '', /src\/<b>a<\/b>.*U\+202E.*<img src=x>.*U\+202E/is);
    await section().getByText('Restore or accept them in the editor.').waitFor();
    assert.equal(await section().locator('[data-act]').count(), 0);
  });

  it('of a teammate’s machine can be accepted here, and only there compared and restored', async () => {
    const files = heldChanges.files.map((file) => ({ ...file, same: false, elsewhere: true as const }));
    await form.send(snapshot(full({ changes: { ...heldChanges, files } })));
    await section().getByText('on another machine').first().waitFor();
    for (const name of ['compare-held', 'restore-held']) assert.equal(await act(name).count(), 0);
    assert.ok((await section().locator('[data-act="accept-change"]').count()) > 0);
  });
});
