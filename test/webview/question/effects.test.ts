/** What an answer means: shown with the choice, changed by the human, sent with the answer, and lifted afterwards. */
import assert from 'node:assert/strict';
import type { Decision, QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface, type Form } from '../harness.ts';
import { settle } from '../settled.ts';
import { approval, full, multiple, plain, refusedView, snapshot, states } from './samples.ts';

type Answer = Extract<QuestionMessage, { type: 'answer' }>;

describe('the form: what an answer means', function () {
  this.timeout(30_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const text = () => form.page.locator('#text');
  const effect = (value: string) => form.page.locator(`input[name=effect][value=${value}]`);
  const picked = () =>
    form.page
      .locator('input[name=effect]')
      .evaluateAll((all) => all.flatMap((one) => (one instanceof HTMLInputElement && one.checked ? [one.value] : [])));
  const offered = () =>
    form.page.locator('input[name=effect]').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  const easy = (change: Parameters<typeof approval>[0] = {}) =>
    approval({ urgency: 'medium', secondStep: false, ...change });

  async function onlyDecision(): Promise<Decision> {
    const decisions = (await form.posted()).filter((message): message is Decision => 'act' in message);
    assert.equal(decisions.length, 1, JSON.stringify(decisions));
    return decisions[0]!;
  }
  async function answer(): Promise<Pick<Answer, 'choices' | 'text' | 'effect'>> {
    await act('decide').click();
    const message = await onlyDecision();
    assert.ok(message.type === 'answer', message.type);
    const { choices, text: said, effect: meant } = message;
    return { choices, text: said, ...(meant === undefined ? {} : { effect: meant }) };
  }

  it('an approval shows it from the start; it follows the choice', async () => {
    await form.send(snapshot(easy()));
    assert.deepEqual([await picked(), await offered()], [[], ['proceed', 'do_not', 'stop']]);
    await form.page.keyboard.press('1');
    assert.deepEqual(await picked(), ['proceed']);
    assert.equal((await act('decide').innerText()).trim(), 'Answer');
    await form.page.keyboard.press('2');
    assert.deepEqual([await picked(), await offered()], [['do_not'], ['do_not', 'stop']]);
    assert.equal((await act('decide').innerText()).trim(), 'Refuse');
    await text().fill('Never.');
    assert.deepEqual(await answer(), { choices: ['No'], text: 'Never.', effect: 'do_not' });
  });

  it('the human makes it a stop; another choice begins again with what it says', async () => {
    await form.send(snapshot(easy()));
    await form.page.keyboard.press('2');
    await effect('stop').click();
    assert.equal((await act('decide').innerText()).trim(), 'Stop this work');
    await form.page.keyboard.press('1');
    assert.deepEqual(await picked(), ['proceed']);
    await form.page.keyboard.press('2');
    assert.deepEqual(await picked(), ['do_not']);
    await effect('stop').click();
    await text().fill('Never.');
    assert.deepEqual(await answer(), { choices: ['No'], text: 'Never.', effect: 'stop' });
  });

  it('a Yes that is made a refusal is one, without a reason', async () => {
    await form.send(snapshot(easy()));
    await form.page.keyboard.press('1');
    await effect('do_not').click();
    assert.deepEqual(await answer(), { choices: ['Yes'], text: '', effect: 'do_not' });
  });

  it('a choice that refuses shows it, and the human can say otherwise', async () => {
    const choices = [
      { label: 'Drop it', recommended: true },
      { label: 'Keep it', recommended: false, effect: 'stop' as const },
    ];
    await form.send(snapshot(full({ choices })));
    assert.deepEqual(await offered(), []);
    await form.page.keyboard.press('2');
    assert.deepEqual([await picked(), await offered()], [['stop'], ['proceed', 'do_not', 'stop']]);
    await effect('proceed').click();
    assert.deepEqual(await answer(), { choices: ['Keep it'], text: '', effect: 'proceed' });
  });

  it('of several choices the strictest counts', async () => {
    const choices = [
      { label: 'A', recommended: false, effect: 'stop' as const },
      { label: 'B', recommended: false, effect: 'do_not' as const },
      { label: 'C', recommended: false },
    ];
    await form.send(snapshot(multiple({ choices })));
    await form.page.keyboard.press('3');
    assert.deepEqual(await picked(), []);
    await form.page.keyboard.press('2');
    assert.deepEqual(await picked(), ['do_not']);
    await form.page.keyboard.press('1');
    assert.deepEqual(await picked(), ['stop']);
  });

  it('an answer in words means no with one click, and says nothing of it otherwise', async () => {
    await form.send(snapshot(plain()));
    await text().fill('Leave it alone.');
    await act('means-no').click();
    assert.deepEqual(await picked(), ['do_not']);
    assert.deepEqual(await answer(), { choices: [], text: 'Leave it alone.', effect: 'do_not' });
  });

  it('what is not said is not sent', async () => {
    await form.send(snapshot(plain()));
    await text().fill('UTC.');
    assert.deepEqual(await answer(), { choices: [], text: 'UTC.' });
  });

  it('a click of a script changes nothing', async () => {
    await form.send(snapshot(easy()));
    await form.page.keyboard.press('2');
    await form.page.evaluate(() => {
      document.querySelector<HTMLInputElement>('input[name=effect][value=stop]')?.click();
    });
    await text().fill('Never.');
    assert.equal((await answer()).effect, 'do_not');
  });

  it('the second step of a critical one says it once more', async () => {
    await form.send(snapshot(approval()));
    await form.page.keyboard.press('1');
    await act('decide').click();
    await form.page.locator('.second-step [data-part=effect]', { hasText: 'Proceed' }).waitFor();
    await settle(form.page);
    await act('confirm').click();
    const message = await onlyDecision();
    assert.deepEqual(message.type === 'answer' && [message.effect, message.confirmed], ['proceed', true]);
  });

  it('a critical one is refused or stopped in two steps, like a Yes', async () => {
    await form.send(snapshot(approval()));
    await form.page.keyboard.press('2');
    await effect('stop').click();
    await act('decide').click();
    await settle(form.page);
    await act('confirm').click();
    const message = await onlyDecision();
    assert.deepEqual(message.type === 'answer' && [message.effect, message.confirmed], ['stop', true]);
  });

  it('the result names a refusal, and offers to lift it; with a reason, in two steps', async () => {
    const sent = snapshot(refusedView());
    await form.send(sent);
    await form.page.locator('.result-line', { hasText: /You answered .*: do not do this/ }).waitFor();
    await act('lift').click();
    await act('decide').click();
    assert.deepEqual(await form.posted(), []);
    await text().fill('  The backup was tested. ');
    await act('decide').click();
    await form.page.getByText('Lift this refusal?').waitFor();
    assert.deepEqual(await form.posted(), []);
    await settle(form.page);
    await act('confirm').click();
    const { act: _, ...rest } = await onlyDecision();
    assert.deepEqual(rest, {
      type: 'lift',
      key: sent.view.type === 'question' && sent.view.key,
      shown: sent.view.type === 'question' && sent.view.shown,
      render: 'render' in sent.view && sent.view.render,
      reason: 'The backup was tested.',
      confirmed: true,
    });
  });

  it('Ctrl+Enter alone does not lift', async () => {
    await form.send(snapshot(refusedView()));
    await act('lift').click();
    await text().fill('Because.');
    for (let times = 0; times < 3; times++) await form.page.keyboard.press('Control+Enter');
    await settle(form.page);
    await form.page.keyboard.press('Control+Enter');
    assert.deepEqual(await form.posted(), []);
  });

  it('nothing is left to lift: lifted, let go on, read-only', async () => {
    await form.send(states['lifted']!());
    await form.page.locator('[data-part=lifted]', { hasText: 'Grace Hopper lifted the refusal' }).waitFor();
    assert.equal(await act('lift').count(), 0);
    await form.send(states['answered']!());
    assert.equal(await act('lift').count(), 0);
    await form.send(snapshot({ ...refusedView(), locked: 'This workspace is not trusted.' }));
    assert.equal(await act('lift').count(), 0);
  });
});
