/** What an answer means: shown with the choice, changed by the human, sent with the answer, and lifted afterwards. */
import assert from 'node:assert/strict';
import type { Decision, QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { openWays } from '../../support/answerForm.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { approval, full, multiple, plain, refusedView, snapshot, states } from './samples.ts';

type Answer = Extract<QuestionMessage, { type: 'answer' }>;

describe('the form: what an answer means', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const text = () => form.page.locator('#text');
  const options = () => form.page.locator('input[name=choice]');
  const labels = () => form.page.locator('.choice-label').allInnerTexts();
  const picked = () => form.page.locator('.choice.picked .choice-label').allInnerTexts();
  const button = async () => (await act('decide').innerText()).trim();
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

  const no = { choices: ['No'], text: '' };
  for (const [key, label, sent] of [
    ['1', 'Answer', { choices: ['Yes'], text: '', effect: 'proceed' }],
    ['2', 'Say no', { ...no, effect: 'do_not' }],
    ['3', 'Stop this work', { ...no, effect: 'stop' }],
  ] as const)
    it(`an approval has three answers, in one list: ${sent.effect}`, async () => {
      await form.send(snapshot(easy()));
      assert.deepEqual([await labels(), await picked()], [['Yes', 'No', 'No, and stop this work'], []]);
      assert.equal(await form.page.getByRole('radio').count(), 3);
      await form.page.keyboard.press(key);
      assert.equal(await button(), label);
      assert.deepEqual(await answer(), sent);
    });

  it('one answer is picked at a time, and a second click clears it', async () => {
    await form.send(snapshot(easy()));
    for (const [key, now] of [
      ['3', ['No, and stop this work']],
      ['2', ['No']],
      ['3', ['No, and stop this work']],
      ['1', ['Yes']],
      ['1', []],
      ['3', ['No, and stop this work']],
      ['3', []],
    ] as const) {
      await form.page.keyboard.press(key);
      assert.deepEqual(await picked(), now);
    }
    await act('decide').click();
    assert.match(await form.page.locator('.hint').innerText(), /Choose one first/);
    assert.deepEqual(await form.posted(), []);
  });

  it('a choice that says no says what it does', async () => {
    const choices = [
      { label: 'Drop it', recommended: true },
      { label: 'Keep it', recommended: false, effect: 'stop' as const },
    ];
    await form.send(snapshot(full({ choices, freeText: 'none' })));
    assert.deepEqual(await labels(), ['Drop it recommended', 'Keep it'], 'one of them must be picked');
    await form.page.keyboard.press('2');
    const stops = await options().nth(1).getAttribute('aria-describedby');
    assert.match(await form.page.locator(`#${stops ?? ''}`).innerText(), /^Cancels the work/);
    assert.equal(await button(), 'Stop this work');
    assert.deepEqual(await answer(), { choices: ['Keep it'], text: '', effect: 'stop' });
  });

  it('of several choices the strictest counts', async () => {
    const choices = [
      { label: 'A', recommended: false, effect: 'stop' as const },
      { label: 'B', recommended: false, effect: 'do_not' as const },
      { label: 'C', recommended: false },
    ];
    await form.send(snapshot(multiple({ choices })));
    for (const [key, label] of [
      ['3', 'Answer'],
      ['2', 'Say no'],
      ['1', 'Stop this work'],
    ] as const) {
      await form.page.keyboard.press(key);
      assert.equal(await button(), label);
    }
  });

  it('the last of several choices refuses all of them, by itself', async () => {
    await form.send(snapshot(multiple()));
    const none = String((await labels()).indexOf('None of these') + 1);
    assert.equal(none, '5');
    for (const key of ['1', '2', none]) await form.page.keyboard.press(key);
    assert.deepEqual(await picked(), ['None of these']);
    await form.page.keyboard.press('1');
    assert.equal((await picked()).join(), 'Chrome recommended');
    await form.page.keyboard.press(none);
    await text().fill('Opera.');
    assert.deepEqual(await answer(), { choices: [], text: 'None of these\nOpera.', effect: 'do_not' });
  });

  it('“None of these” needs no reason', async () => {
    await form.send(snapshot(full()));
    await form.page.keyboard.press('4');
    assert.deepEqual(await answer(), { choices: [], text: 'None of these', effect: 'do_not' });
  });

  it('a question without choices is refused from the menu, with a reason', async () => {
    await form.send(snapshot(plain()));
    await openWays(form.page);
    await act('refuse').click();
    await act('decide').click();
    assert.match(await form.page.locator('.hint').innerText(), /Enter a reason first/);
    await text().fill('Leave it alone.');
    assert.deepEqual(await answer(), { choices: [], text: 'Leave it alone.', effect: 'do_not' });
  });

  it('an answer of an earlier version that no option says picks none', async () => {
    const { key, shown } = approval();
    for (const [effect, now] of [
      ['proceed', ['Yes']],
      ['do_not', []],
      ['stop', ['No, and stop this work']],
    ] as const) {
      await form.page.evaluate(
        (state) => {
          sessionStorage.setItem('state', state);
        },
        JSON.stringify({ revision: 1, forms: { [key]: { fields: { 'choice Yes': 'yes', effect }, shown } } }),
      );
      await form.reload();
      await form.send(snapshot(easy()));
      assert.deepEqual(await picked(), now, effect);
    }
  });

  it('what is not said is not sent', async () => {
    await form.send(snapshot(plain()));
    await text().fill('UTC.');
    assert.deepEqual(await answer(), { choices: [], text: 'UTC.' });
  });
  for (const [key, effect, says] of [
    ['1', 'proceed', 'Yes'],
    ['2', 'do_not', 'The agent must find another way.'],
    ['3', 'stop', 'Cancels the work.'],
  ] as const)
    it(`a critical one is decided in two steps, and the second says what happens: ${effect}`, async () => {
      await form.send(snapshot(approval()));
      await form.page.keyboard.press(key);
      await act('decide').click();
      await form.page.locator('.second-step', { hasText: says }).waitFor();
      await settle(form.page);
      await act('confirm').click();
      const message = await onlyDecision();
      assert.deepEqual(message.type === 'answer' && [message.effect, message.confirmed], [effect, true]);
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
      text: 'The backup was tested.',
      confirmed: true,
    });
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
