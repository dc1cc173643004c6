/** Answering one after another: by keys alone, with a decision that can be taken back. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { realQuestions } from './realQuestions.ts';
import { full, plain, requestView } from './samples.ts';
import { queueHost } from './queueHost.ts';

const withChoices = realQuestions.filter(({ choices, mode }) => choices.length > 0 || mode === 'async');
const [one, two, three] = withChoices as [(typeof withChoices)[0], (typeof withChoices)[0], (typeof withChoices)[0]];

describe('the queue in a tab', () => {
  const form = openForEach(questionSurface, { width: 1000, height: 700 });

  const press = (key: string) => form.page.keyboard.press(key);
  const status = () => form.page.locator('[role=status]').first().innerText();
  const bar = () => form.page.locator('.queue-bar').innerText();
  const focused = () => form.page.evaluate(() => document.activeElement?.getAttribute('data-focus'));

  it('takes three keys for each item at most, and two and a half on average', async () => {
    const items = withChoices;
    assert.equal(items.length, 17);
    assert.ok(withChoices.some(({ secondStep }) => secondStep));
    const host = queueHost(form, items);
    await host.show();
    const counts: number[] = [];
    for (const item of items) {
      assert.equal(host.at(), item.key);
      let presses = 0;
      const key = async (name: string) => {
        await settle(form.page);
        presses++;
        await press(name);
      };
      await key('1');
      await key('Control+Enter');
      if (item.secondStep && (await host.respond()) === 0) await key('1');
      await host.respond();
      counts.push(presses);
    }
    assert.equal(host.at(), null);
    await host.sendAll();
    assert.deepEqual(
      host.decisions.map(({ key }) => key),
      withChoices.map(({ key }) => key),
    );
    const total = counts.reduce((sum, count) => sum + count, 0);
    assert.ok(Math.max(...counts) <= 3, String(counts));
    assert.ok(total / items.length <= 2.5, String(counts));
    assert.equal(await form.page.locator('h1').innerText(), 'Nothing is waiting for you');
  });

  it('reads each item from its heading, and announces it with the undo', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    assert.equal(await focused(), 'question');
    assert.match(await bar(), /1 of 2/);
    await press('1');
    await press('Control+Enter');
    assert.equal(await host.respond(), 1);
    assert.equal(await focused(), 'question');
    assert.match(await bar(), /2 of 2[\s\S]*Answered “Sessions”\.\s*Sending in \d+ s\s*Undo \(Ctrl\+Z\)/);
    assert.match(
      await status(),
      /^Answered “Sessions”\. Sending in \d+ seconds\. Press Ctrl\+Z to undo\. Item 2 of 2\.$/,
    );
    assert.deepEqual(host.decisions, []);
  });

  it('Ctrl+Z takes the last decision back: the item is on the screen again, as it was filled in', async () => {
    const host = queueHost(form, [one, two, three]);
    await host.show();
    await press('2');
    await form.page.locator('#text').fill('For now.');
    await press('Control+Enter');
    await host.respond();
    assert.equal(host.at(), two.key);
    await press('Control+z');
    assert.equal(await host.respond(), 1);
    assert.equal(host.at(), one.key);
    assert.match(await status(), /^Undone\. It was not sent\. Item 1 of 3\.$/);
    assert.ok(await form.page.locator('#choice-1').isChecked());
    assert.equal(await form.page.locator('#text').inputValue(), 'For now.');
    await host.sendAll();
    assert.deepEqual(host.decisions, []);
    await press('Control+z');
    assert.equal(await host.respond(), 0, 'there is nothing more to take back');
  });

  it('a single form is undone in the same way: until it is sent, nothing of it can be decided again', async () => {
    const host = queueHost(form, [{ ...one, next: { key: two.key, title: two.text } }, two], true);
    await host.show();
    await press('2');
    await form.page.locator('#text').fill('For now.');
    await press('Control+Enter');
    assert.equal(await host.respond(), 1);
    assert.match(await status(), /^Answered “JWT”\. Sending in \d+ seconds\. Press Ctrl\+Z to undo\.$/);
    assert.equal(await focused(), null, 'on the button to the next');
    for (const key of ['1', 'Control+Enter', 'j']) await press(key);
    assert.equal(await host.respond(), 0);
    assert.equal(await form.page.locator('[data-act=decide], input[name=choice]').count(), 0);
    await form.page.locator('[data-act=undo]').click();
    assert.equal(await host.respond(), 1);
    assert.match(await status(), /^Undone\. It was not sent\.$/);
    assert.ok(await form.page.locator('#choice-1').isChecked());
    assert.equal(await form.page.locator('#text').inputValue(), 'For now.');
    await host.sendAll();
    assert.deepEqual(host.decisions, []);
  });

  it('beside another item, a decision can still be undone', async () => {
    const host = queueHost(form, [{ ...one, next: { key: two.key, title: two.text } }, two], true);
    await host.show();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    await form.page.locator('[data-act=next]').click();
    await host.respond();
    assert.equal(host.at(), two.key);
    assert.match(await bar(), /^Answered “Sessions”\.\s*Sending in \d+ s\s*Undo \(Ctrl\+Z\)$/);
    await press('Control+z');
    await host.respond();
    assert.equal(host.at(), one.key);
    await host.sendAll();
    assert.deepEqual(host.decisions, []);
  });

  it('a decision that was sent leaves no draft behind', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    await host.sendAll();
    assert.doesNotMatch(await bar(), /Undo/);
    const kept = await form.page.evaluate(() => sessionStorage.getItem('state') ?? '');
    assert.deepEqual((JSON.parse(kept) as { forms: object }).forms, {});
  });

  it('J and K skip and go back, and decide nothing', async () => {
    const host = queueHost(form, [one, two, three]);
    await host.show();
    for (const [key, at] of [
      ['j', two.key],
      ['j', three.key],
      ['k', two.key],
      ['K', one.key],
      ['K', one.key],
      ['J', two.key],
    ] as const) {
      await press(key);
      await host.respond();
      assert.equal(host.at(), at, key);
    }
    assert.deepEqual([host.decisions, host.others], [[], []]);
  });

  it('letters in the text are text, and arrows move between choices', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    await form.page.locator('#text').focus();
    for (const key of ['j', 'k', 'u', '1']) await press(key);
    assert.equal(await form.page.locator('#text').inputValue(), 'jku1');
    await form.page.locator('#choice-0').focus();
    await press('ArrowDown');
    assert.equal(await host.respond(), 0);
    assert.ok(await form.page.locator('#choice-1').isChecked());
  });

  it('an item without choices has the keyboard in its field, and text written before it got there does nothing', async () => {
    const written = realQuestions.find(({ choices, mode }) => choices.length === 0 && mode === 'sync')!;
    const host = queueHost(form, [one, written, two]);
    await host.show();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    assert.equal(host.at(), written.key);
    assert.equal(await focused(), 'text');
    await form.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
    });
    await form.page.keyboard.type('eu-central jk');
    assert.equal(await host.respond(), 0, 'nothing was taken back or skipped');
    await form.page.locator('#text').focus();
    await form.page.keyboard.type('eu-central');
    assert.equal(await form.page.locator('#text').inputValue(), 'eu-central');
    assert.equal(await host.respond(), 0);
  });

  it('no letter acts on a decision that is not on the screen', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    for (const letter of 'abcdefghilmnopqrstuvwxyz') await press(letter);
    assert.equal(await host.respond(), 0);
    assert.equal(host.at(), two.key);
  });

  it('modified and repeated keys skip nothing', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    for (const key of ['Control+j', 'Alt+j', 'Meta+k', 'Control+u', 'Alt+z']) await press(key);
    await form.page.evaluate(() => {
      for (const key of ['j', 'u']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    assert.equal(await host.respond(), 0);
  });

  it('a critical answer takes its own confirmation: Ctrl+Enter twice is not one', async () => {
    const critical = full({ urgency: 'critical', secondStep: true });
    const host = queueHost(form, [critical, two]);
    await host.show();
    await press('2');
    await press('Control+Enter');
    await settle(form.page);
    await press('Control+Enter');
    await press('1');
    await press('3');
    assert.equal(await host.respond(), 0);
    assert.match(await form.page.locator('.second-step').innerText(), /or press 2 again/);
    await press('2');
    assert.equal(await host.respond(), 1);
    await host.sendAll();
    assert.deepEqual(
      host.decisions.map(({ choices, confirmed }) => ({ choices, confirmed })),
      [{ choices: ['JWT'], confirmed: true }],
    );
  });

  it('without a choice only the button confirms', async () => {
    const host = queueHost(form, [plain({ urgency: 'critical', secondStep: true }), two]);
    await host.show();
    await form.page.locator('#text').fill('UTC');
    await press('Control+Enter');
    await settle(form.page);
    for (const key of ['1', '2', 'Control+Enter']) await press(key);
    assert.equal(await host.respond(), 0);
    assert.doesNotMatch(await form.page.locator('.second-step').innerText(), /again/);
    await form.page.locator('[data-act=confirm]').click();
    assert.equal(await host.respond(), 1);
  });

  it('Ctrl+Enter with nothing picked says so, wherever the keyboard is', async () => {
    const host = queueHost(form, [one]);
    await host.show();
    await press('Control+Enter');
    assert.match(await form.page.locator('.hint').innerText(), /Choose/);
    assert.equal(await host.respond(), 0);
  });

  it('a request is answered in its own form, where letters skip nothing', async () => {
    const request = requestView();
    const host = queueHost(form, [request, one]);
    await host.show();
    assert.match(await bar(), /1 of 2[^]*Tab reaches “Skip” and “Back”/);
    for (const key of ['j', 'k', 'Control+z']) await press(key);
    assert.equal(await host.respond(), 0);
    assert.equal(host.at(), request.key);
    await form.page.locator('[data-act=queue-next]').click();
    await host.respond();
    assert.equal(host.at(), one.key);
  });

  it('says that nothing waits once all are decided, and lists what was skipped until then', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    await press('j');
    await host.respond();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    assert.equal(await form.page.locator('h1').innerText(), '1 item is still waiting');
    assert.match(await form.page.locator('.agents').innerText(), new RegExp(`Show ${one.id}`));
    await form.page.locator('[data-act=again]').click();
    await host.respond();
    assert.equal(host.at(), one.key);
    await settle(form.page);
    await press('1');
    await press('Control+Enter');
    await host.respond();
    assert.equal(await form.page.locator('h1').innerText(), 'Nothing is waiting for you');
    assert.match(await bar(), /2 of 2 done/);
  });

  it('keeps the draft of a decision that was not recorded', async () => {
    const host = queueHost(form, [one, two]);
    await host.show();
    await press('1');
    await press('Control+Enter');
    await host.respond();
    host.failing.add(one.key);
    await host.sendAll();
    assert.doesNotMatch(await status(), /Undone/);
    assert.match(await bar(), /2 of 2/);
    await press('k');
    await host.respond();
    assert.equal(host.at(), one.key);
    assert.ok(await form.page.locator('#choice-0').isChecked());
  });
});
