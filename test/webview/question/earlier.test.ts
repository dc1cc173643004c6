/** Answers to similar questions fill in the form; a human still reads and signs. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { earlierAnswers, full, snapshot, states } from './samples.ts';

describe('answers to similar questions', () => {
  const form = openForEach(questionSurface);
  const part = () => form.page.locator('[data-part=earlier]');
  const picked = () => form.page.locator('input[name=choice]:checked');
  const label = () => form.page.locator('.choice.picked .choice-label').innerText();

  it('say who answered what, and when', async () => {
    await form.send(states['earlier']!());
    const [first, second] = await part().locator('li').allInnerTexts();
    assert.match(first ?? '', /^Ada Lovelace answered Sessions 30 days ago.*Use this answer/s);
    assert.match(second ?? '', /^Grace Hopper answered JWT: until May 500 days ago/s);
    await part().locator('[data-act=show-earlier]').last().click();
    assert.deepEqual(await form.posted(), [{ type: 'select', key: '0/Q-2' }]);
  });

  it('fill in the form by the key R or by a click, and send nothing', async () => {
    await form.show(states['earlier']!());
    await form.page.keyboard.press('r');
    assert.match(await label(), /sessions/i);
    await part().locator('[data-act=use-earlier]').last().click();
    assert.match(await label(), /JWT/);
    assert.equal(await form.page.locator('textarea').inputValue(), 'until May');
    assert.deepEqual(
      (await form.posted()).filter(({ type }) => type === 'answer'),
      [],
    );
  });

  it('go before what a human has typed, which stays, and are not added twice', async () => {
    const text = () => form.page.locator('textarea').inputValue();
    await form.show(states['earlier']!());
    await form.page.locator('textarea').fill('Only with rotation.');
    await form.page.locator('textarea').blur();
    await form.page.keyboard.press('r');
    assert.match(await label(), /sessions/i);
    assert.equal(await text(), 'Only with rotation.', 'that answer has no text');
    for (let times = 0; times < 2; times++) {
      await part().locator('[data-act=use-earlier]').last().click();
      assert.match(await label(), /JWT/);
      assert.equal(await text(), 'until May\n\nOnly with rotation.');
    }
    await form.page.locator('textarea').fill('');
    await part().locator('[data-act=use-earlier]').last().click();
    await part().locator('[data-act=use-earlier]').first().click();
    assert.equal(await text(), '', 'what another answer had filled in is replaced');
  });

  it('are no shortcut while a human types, without any, and where nothing can be decided', async () => {
    await form.show(states['earlier']!());
    await form.page.locator('textarea').fill('');
    await form.page.locator('textarea').press('r');
    assert.equal(await form.page.locator('textarea').inputValue(), 'r');
    assert.equal(await picked().count(), 0);
    await form.send(snapshot(full({ key: 'w1/Q-13' })));
    assert.equal(await part().count(), 0);
    await form.send(snapshot(full({ key: 'w1/Q-14', earlier: earlierAnswers, locked: 'Not trusted.' })));
    assert.equal(await part().count(), 0);
    await form.page.keyboard.press('r');
    assert.equal(await picked().count(), 0);
  });
});
