/** Asking back: one message with the text and nothing else; the thread shows both sides, and the answer stays possible. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { openWays, readAll } from '../../support/answerForm.ts';
import { askedBack, full, plain, replied, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';

describe('the form: asking back', () => {
  const form = openForEach(questionSurface);
  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const text = () => form.page.locator('#text');
  const open = async () => {
    await openWays(form.page);
    await act('askBack').click();
    await form.page.locator('#text:focus').waitFor();
  };

  it('sends what was written, in one step even if critical; the answer begun stays', async () => {
    const sent = snapshot(full({ urgency: 'critical', secondStep: true }));
    await form.send(sent);
    await form.page.keyboard.press('2');
    await text().fill('Simple enough');
    await open();
    assert.equal(await form.page.locator('.choice').count(), 0);
    await act('decide').click();
    await form.page.getByText('Write your question first.').waitFor();
    await text().fill('  How many clients would have to change? ');
    assert.equal((await act('decide').textContent())?.trim(), 'Ask the agent');
    await form.page.keyboard.press('Control+Enter');
    const { act: name, ...rest } = await onlyPosted(form, 'askBack');
    const render = 'render' in sent.view && sent.view.render;
    assert.deepEqual(rest, {
      ...{ type: 'askBack', key: 'w1/Q-12', shown: 'sha256-q12', render },
      ...{ text: 'How many clients would have to change?', confirmed: false },
    });
    const waiting = full({ shown: 'sha256-q12-asked', thread: [askedBack], askBack: false });
    await form.send(snapshot(waiting, { outcome: { type: 'done', act: name } }));
    await form.page.getByText('Waiting for the reply of copilot-001.').waitFor();
    assert.equal(await text().inputValue(), 'Simple enough');
    assert.equal(await form.page.getByText('This question has changed since you started').count(), 0);
    await openWays(form.page);
    assert.equal(await act('askBack').count(), 0, 'one at a time');
    await readAll(form.page);
    await settle(form.page);
    await act('decide').click();
    assert.equal((await form.posted()).at(-1)?.type, 'answer', 'it can be answered meanwhile');
  });

  it('Escape and Back go back, and keep what was written', async () => {
    await form.send(snapshot(plain()));
    for (const back of [() => form.page.keyboard.press('Escape'), () => act('back').click()]) {
      await open();
      await text().fill('Why now?');
      await back();
      await form.page.getByRole('textbox', { name: 'Your answer' }).waitFor();
      assert.equal(await text().inputValue(), '');
      await open();
      assert.equal(await text().inputValue(), 'Why now?');
      await form.page.keyboard.press('Escape');
    }
    assert.deepEqual(await form.posted(), []);
  });

  it('shows the last exchange, folds earlier ones, and marks a new reply', async () => {
    const earlier = { ...replied(90), text: 'Who pays?' };
    await form.send(snapshot(full({ thread: [earlier, replied(1)] })));
    const thread = form.page.locator('[data-part=thread]');
    await thread.getByText('copilot-001 replied 1 min ago').waitFor();
    assert.equal(await thread.locator('.badge').count(), 1);
    assert.equal(await thread.getByText('Who pays?').isVisible(), false);
    await thread.getByText('1 earlier question and reply').click();
    await thread.getByText('Who pays?').waitFor();
    await form.send(snapshot(full({ thread: [replied(11)] })));
    assert.equal(await thread.locator('.badge').count(), 0, 'briefly');
    await form.show(states['repliedThenAnswered']!());
    await thread.getByText('copilot-001 replied').waitFor();
  });

  it('has a button where there is room, and an entry in the menu where there is none', async () => {
    await form.send(snapshot(full()));
    assert.equal(await act('ask-back').isVisible(), false);
    await openWays(form.page);
    assert.equal(await act('askBack').isVisible(), true);
    await form.page.setViewportSize({ width: 480, height: 600 });
    assert.equal(await act('askBack').isVisible(), false);
    await act('ask-back').click();
    await form.page.getByText('Everything stays held.').waitFor();
  });

  it('is not offered where nothing can be decided', async () => {
    await form.send(snapshot(plain({ locked: 'A newer version wrote this.' })));
    assert.equal((await act('ask-back').count()) + (await act('more').count()), 0);
    await form.send(snapshot(plain({ askBack: false })));
    await openWays(form.page);
    assert.equal((await act('ask-back').count()) + (await act('askBack').count()), 0);
  });
});
