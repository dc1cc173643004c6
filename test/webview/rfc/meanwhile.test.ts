/** What is entered while an act of another place is on its way to the host stays. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { full, snapshot } from './samples.ts';

describe('while an act of a review is in flight', () => {
  const form = openForEach(rfcSurface, { width: 1_280, height: 800 });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const field = (name: string) => form.page.locator(`[data-focus="${name}"]`);
  const answerBox = (question: string) => form.page.locator(`[data-question="${question}"] textarea`);

  /** Sends a reply, which stays in flight. */
  async function reply(text: string): Promise<string> {
    await form.page.locator('[data-thread="T-1"] [data-act=reply]').click();
    await form.page.keyboard.type(text);
    await settle(form.page);
    await form.page.keyboard.press('Control+Enter');
    return (await onlyPosted(form, 'reply')).act;
  }

  it('what is typed into an answer and a panel stays, with the focus, when the act is done', async () => {
    await form.send(snapshot(full()));
    const name = await reply('Good.');
    assert.equal(await field('reply:T-1.text').isDisabled(), true, 'what is being sent does not change');
    assert.equal(await act('resolve').first().isDisabled(), true, 'one act at a time');
    await act('open-requestChanges').click();
    await field('requestChanges').fill('See the threads.');
    await answerBox('6').fill('Two weeks');
    await form.page.keyboard.type(' at least');
    assert.equal(await answerBox('6').inputValue(), 'Two weeks at least');
    await form.show(snapshot(full(), { outcome: { type: 'done', act: name } }));
    await form.page.keyboard.type('.');
    assert.equal(await answerBox('6').inputValue(), 'Two weeks at least.');
    assert.equal(await field('requestChanges').inputValue(), 'See the threads.');
    assert.equal(await field('reply:T-1.text').count(), 0, 'the reply was sent');
    await form.reload();
    await form.send(snapshot(full()));
    assert.equal(await answerBox('6').inputValue(), 'Two weeks at least.');
    assert.equal(await field('requestChanges').inputValue(), 'See the threads.');
  });

  it('it stays when the act is refused, as does the text of the act itself', async () => {
    await form.send(snapshot(full()));
    const name = await reply('Good.');
    await answerBox('6').fill('Two weeks');
    await form.show(
      snapshot(full(), {
        outcome: { type: 'refused', reason: 'conflict', act: name, text: 'The thread is resolved.' },
      }),
    );
    assert.equal(await answerBox('6').inputValue(), 'Two weeks');
    assert.equal(await field('reply:T-1.text').inputValue(), 'Good.');
    await form.page.getByText('The thread is resolved.').waitFor();
  });

  it('a box that is opened meanwhile stays open', async () => {
    await form.send(snapshot(full()));
    await form.page.getByRole('button', { name: 'Comment on Summary' }).click();
    await form.page.keyboard.type('one');
    await settle(form.page);
    await act('send-comment').click();
    const { act: name } = await onlyPosted(form, 'comment');
    await answerBox('6').fill('Two weeks');
    await form.show(snapshot(full(), { outcome: { type: 'done', act: name } }));
    assert.equal(await field('comment:summary.text').count(), 0);
    assert.equal(await answerBox('6').inputValue(), 'Two weeks');
  });
});
