/** The briefing in a browser: what a person can do, what scripts cannot, and what stays in place. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { briefingSurface } from '../harness.ts';
import { event, full, proposed, snapshot, states } from './samples.ts';
import { press } from '../steps.ts';
import { unfold } from './scenes.ts';
import { settle } from '../settled.ts';

describe('the briefing: acting', () => {
  const form = openForEach(briefingSurface, { height: 500 });
  it('begins with the current file, then what holds it, then warnings', async () => {
    await form.send(snapshot(full()));
    const names = await form.page
      .locator('[data-section]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-section')));
    assert.deepEqual(names.slice(0, 3), ['relevant', 'waiting', 'critical']);
    await form.send(snapshot(full({ waiting: { items: [], more: 0 } })));
    await form.page.locator('[data-section="waiting"]').waitFor({ state: 'detached' });
  });

  it('posts an event by keyboard alone', async () => {
    await form.send(snapshot(full()));
    await form.page.locator('[data-act=open-post]').focus();
    await form.page.keyboard.press('Enter');
    await form.page.keyboard.type('The cache is never cleared.');
    await settle(form.page);
    await form.page.keyboard.press('Control+Enter');
    const [act] = await form.posted();
    assert.ok(act?.type === 'post');
    assert.deepEqual(
      [act.event, act.scopes, act.text],
      ['warning', ['src/auth/login.ts'], 'The cache is never cleared.'],
    );
  });

  it('Escape and Back in the forms of an event put the focus on its row, and so does a refusal', async () => {
    const focused = () => form.page.evaluate(() => document.activeElement?.getAttribute('data-focus'));
    await form.send(snapshot(full({ proposals: [proposed] })));
    await unfold('E-1')(form);
    for (const way of ['resolve', 'supersede']) {
      await press(way)(form);
      await form.page.keyboard.press('Escape');
      assert.equal(await focused(), 'E-1', way);
      await press(way)(form);
      await settle(form.page);
      await press('back')(form);
      assert.equal(await focused(), 'E-1', way);
    }
    await unfold('E-9')(form);
    await settle(form.page);
    await press('accept')(form);
    const act = (await form.posted()).find(({ type }) => type === 'accept');
    assert.ok(act && 'act' in act);
    const outcome = { type: 'refused', reason: 'conflict', act: act.act, text: 'It is closed.' } as const;
    await form.send(snapshot(full({ proposals: [proposed] }), { outcome }));
    assert.equal(await focused(), 'E-9');
  });

  it('shows the chosen successor, also when it is no longer in the view, and signs that one', async () => {
    const by = form.page.locator('[data-focus="0/E-1.by"]');
    const shown = () => by.evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]?.text);
    await form.send(snapshot(full()));
    await unfold('E-1')(form);
    await press('supersede')(form);
    await by.selectOption('E-2');
    const title = await shown();
    assert.match(title ?? '', /^E-2 · Tokens are written/);
    const relevant = { ...full().relevant, warning: { items: [event(7, 'Ports are fixed')], more: 0 } };
    await form.send(snapshot(full({ focus: 'src/server.ts', relevant })));
    assert.equal(await shown(), title);
    assert.deepEqual(
      await by.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
      [...['', 'E-2', 'E-7', 'E-3', 'E-4', 'E-5', 'E-6', 'E-8', 'E-15', 'E-11']],
    );
    await form.reload();
    await form.send(snapshot(full({ relevant })));
    assert.equal(await shown(), title);
    await form.send(snapshot(full()));
    assert.equal(await shown(), title);
    await settle(form.page);
    await press('decide')(form);
    const act = (await form.posted()).find(({ type }) => type === 'close');
    assert.ok(act?.type === 'close');
    assert.deepEqual(act.closing, { how: 'superseded', by: 'E-2' });
  });

  it('an event that leaves the view with the focus leaves it at the top', async () => {
    await form.send(snapshot(full()));
    await unfold('E-1')(form);
    await press('resolve')(form);
    await form.send(snapshot(full({ critical: { items: [], more: 0 } })));
    assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus')), 'top');
  });

  it('keeps the reader’s position when something arrives', async () => {
    await form.send(states['long']!());
    await unfold('E-40')(form);
    const place = () => form.page.evaluate(() => window.scrollY);
    await form.page.evaluate(() => {
      window.scrollTo(0, 700);
    });
    const before = await place();
    assert.ok(before > 0);
    const row = form.page.locator('summary[data-focus="E-40"]');
    await row.evaluate((one) => {
      one.id = 'seen-before';
    });
    await form.send(states['long']!());
    assert.equal(await place(), before);
    assert.equal(await row.getAttribute('id'), 'seen-before', 'the same element, not a copy');
    assert.ok(await form.page.locator('details[open] > #seen-before').isVisible());
  });

  it('opens files, forms and waiting items through the host', async () => {
    await form.send(snapshot(full()));
    await unfold('E-2')(form);
    await form.page.locator('.chip').first().click();
    await press('open-form')(form);
    await press('pin')(form);
    assert.deepEqual(await form.posted(), [
      { type: 'openFile', key: '0/E-2', path: 'src/auth/login.ts' },
      { type: 'openForm', key: '0/Q-12' },
      { type: 'pin', on: true },
    ]);
  });

  it('shows only one type on request, and changes nothing else', async () => {
    await form.send(snapshot(full()));
    const titles = () => form.page.locator('.event-title:visible').allInnerTexts();
    await form.page.locator('#filter').selectOption('decision');
    assert.deepEqual(await titles(), [
      'We use JWT',
      'JWT or sessions for the mobile clients?',
      'Split the exporter',
      'Which port?',
      'Token design',
    ]);
    await form.page.locator('#filter').selectOption('');
    assert.ok((await titles()).length > 6);
  });

  it('shows hidden characters', async () => {
    const text = 'approve\u202Egnp.exe\u200B';
    await form.send(snapshot(full({ critical: { items: [event(1, text, { text: `${text} more` })], more: 0 } })));
    await unfold('E-1')(form);
    const seen = await form.page.locator('main').innerText();
    assert.doesNotMatch(seen, /[\u202E\u200B]/);
    assert.ok(seen.includes('U+202E'));
  });
});
