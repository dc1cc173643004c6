/** How far a question or RFC holds: every file by a second step in the form, and back by another. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface, rfcSurface } from '../harness.ts';
import { openWays, readAll } from '../../support/answerForm.ts';
import * as rfc from '../rfc/samples.ts';
import { asynchronous, full, givenAgain, heldChanges, plain, snapshot, states, widened } from './samples.ts';
import { settle } from '../settled.ts';
const effect = /edits, writing commands and commits by all agents are denied, in all worktrees/;

const since = /All files of this workspace, by ([\w ]+) since .*\d\d:\d\d/;

describe('the form: what is held', () => {
  const form = openForEach(questionSurface);
  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const held = () => form.page.locator('[data-part="all-files"]');

  it('all files: a quiet link, what will happen, then one message', async () => {
    const sent = snapshot(full());
    await form.send(sent);
    await openWays(form.page);
    await act('open-holdAll').click();
    await form.page.getByText(effect).waitFor();
    assert.equal(await act('decide').count(), 0, 'nothing else can be decided meanwhile');
    assert.equal(
      await form.page.evaluate(() => document.activeElement?.matches('section[data-focus="confirm"]')),
      true,
      'the button has not the keys',
    );
    await settle(form.page);
    await act('confirm').click();
    const { act: name, ...rest } = await onlyPosted(form, 'holdAll');
    assert.match(name, /^[0-9a-f-]{36}$/);
    const render = 'render' in sent.view && sent.view.render;
    assert.deepEqual(rest, { type: 'holdAll', key: 'w1/Q-12', shown: 'sha256-q12', render });
    await form.send(snapshot(widened(), { outcome: { type: 'done', act: name, text: 'All files are held.' } }));
    assert.equal(since.exec((await held().textContent()) ?? '')?.[1], 'you');
    assert.equal(await form.page.locator('.globs').count(), 0);
    await openWays(form.page);
    assert.equal(await act('open-holdAll').count(), 0);
    await act('decide').waitFor();
  });

  it('only what was named: says what stays held, then one message', async () => {
    await form.send(snapshot(widened()));
    await openWays(form.page);
    await act('open-holdNamed').click();
    await form.page.getByText('All other files are released.').waitFor();
    assert.deepEqual(await form.page.locator('.second-step .globs code').allTextContents(), full().blocks.files);
    await settle(form.page);
    await act('confirm').click();
    assert.equal((await onlyPosted(form, 'holdNamed')).shown, 'sha256-q12-all');
  });

  it('says it where nothing was named', async () => {
    await form.send(snapshot(widened({ blocks: { ...widened().blocks, files: [] } })));
    await openWays(form.page);
    await act('open-holdNamed').click();
    await form.page.getByText('All files are released, because none was named.').waitFor();
  });

  it('names who did it', async () => {
    await form.show(states['allFilesByOther']!());
    assert.match((await held().textContent()) ?? '', /by Grace Hopper since 17 Nov 2026/);
  });

  it('what is being written stays, and is not taken for outdated', async () => {
    await form.send(snapshot(full()));
    await form.page.locator('#text').fill('Simple enough');
    await openWays(form.page);
    await act('open-holdAll').click();
    await settle(form.page);
    await act('confirm').click();
    const { act: name } = await onlyPosted(form, 'holdAll');
    await form.send(snapshot(widened(), { outcome: { type: 'done', act: name } }));
    assert.equal(await form.page.locator('#text').inputValue(), 'Simple enough');
    assert.equal(await form.page.getByText('This question has changed since you started').count(), 0);
  });
  it('at first use the name goes with it', async () => {
    await form.send(snapshot(plain({ answersAs: { name: 'ada', editable: true } })));
    await openWays(form.page);
    await act('open-holdAll').click();
    await settle(form.page);
    await act('confirm').click();
    assert.equal((await onlyPosted(form, 'holdAll')).name, 'ada');
  });

  it('critical ones take no third step', async () => {
    await form.send(snapshot(plain({ urgency: 'critical', secondStep: true })));
    await openWays(form.page);
    await act('open-holdAll').click();
    await settle(form.page);
    await act('confirm').click();
    await onlyPosted(form, 'holdAll');
  });

  it('an expired one that still holds offers it beside letting go', async () => {
    await form.send(states['expired']!());
    await readAll(form.page);
    await act('decide').waitFor();
    await openWays(form.page);
    await act('open-holdAll').click();
    await settle(form.page);
    // What comes from the host meanwhile leaves the step open.
    await form.send(states['expired']!());
    await form.page.getByText(effect).waitFor();
    await act('back').click();
    await act('decide').waitFor();
  });

  it('a step that is overtaken is closed', async () => {
    await form.send(snapshot(full()));
    await openWays(form.page);
    await act('open-holdAll').click();
    await form.page.getByText(effect).waitFor();
    await form.send(snapshot(widened()));
    await act('decide').or(act('open-to-answer')).waitFor();
    assert.equal(await form.page.getByText(effect).count(), 0);
  });

  const without = {
    'an async one': () => snapshot(asynchronous()),
    'one that is decided': () => snapshot(givenAgain()),
    'one where nothing can be decided': () => states['locked']!(),
  };
  for (const [name, make] of Object.entries(without))
    it(`${name} does not offer it`, async () => {
      await form.show(make());
      await form.page.locator('article').waitFor();
      assert.equal(await form.page.locator('[data-act^="open-hold"]').count(), 0);
    });
});

describe('the review: what is held', () => {
  const form = openForEach(rfcSurface, { width: 1_280, height: 800 });
  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const focused = () => form.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? '');

  it('all files: an item of the menu, what will happen, then one message', async () => {
    const sent = rfc.snapshot(rfc.full());
    await form.send(sent);
    await act('more').click();
    await act('open-holdAll').click();
    await form.page.getByText(effect).waitFor();
    assert.equal(await focused(), 'holdAll', 'its heading has the keys, never the button');
    await form.page.keyboard.press('Control+Enter');
    await settle(form.page);
    await act('decide').click();
    const { act: name, ...rest } = await onlyPosted(form, 'holdAll');
    assert.deepEqual(rest, {
      type: 'holdAll',
      key: sent.view.type === 'rfc' && sent.view.key,
      shown: sent.view.type === 'rfc' && sent.view.shown,
      render: sent.view.type === 'rfc' && sent.view.render,
    });
    await form.send(rfc.snapshot(rfc.widened(), { outcome: { type: 'done', act: name, text: 'All files are held.' } }));
    const line = form.page.locator('[data-part="held-files"]');
    assert.equal(since.exec((await line.textContent()) ?? '')?.[1], 'Grace Hopper');
    await act('open-approve').waitFor();
  });

  it('only what was named: says what stays held, then one message', async () => {
    await form.send(rfc.snapshot(rfc.widened()));
    await act('more').click();
    await act('open-holdNamed').click();
    assert.deepEqual(await form.page.locator('.panel .globs code').allTextContents(), rfc.full().blocks.files);
    await settle(form.page);
    await act('decide').click();
    await onlyPosted(form, 'holdNamed');
  });

  it('a double click decides nothing, and Back leads back', async () => {
    await form.send(rfc.snapshot(rfc.full()));
    await act('more').click();
    await act('open-holdAll').click();
    await settle(form.page);
    const button = (await act('decide').boundingBox())!;
    await form.page.mouse.move(button.x + 20, button.y + 10);
    await form.page.mouse.down({ clickCount: 2 });
    await form.page.mouse.up({ clickCount: 2 });
    await act('back').click();
    assert.equal(await focused(), 'more', 'the button of the menu, which is closed');
    assert.deepEqual(await form.posted(), []);
  });

  for (const name of ['older', 'amendment', 'approved', 'rejected'])
    it(`"${name}" does not offer it`, async () => {
      await form.show(rfc.states[name]!());
      await form.page.locator('.bar').waitFor();
      assert.equal(await form.page.locator('[data-act^="open-hold"]').count(), 0);
    });
});

/** Changes of held files in the form: what changed during which call, and one message for each way out. */
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
