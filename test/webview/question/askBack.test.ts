/** Asking back: one message with the text and nothing else; the thread shows both sides, and the answer stays possible. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { openWays, readAll } from '../../support/answerForm.ts';
import { askedBack, full, parkedBrief, plain, replied, resumes, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';

describe('the form: asking back', () => {
  const form = openForEach(questionSurface, { height: 1400 });
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

/** The resume brief of an agent that stopped waiting: folded, as plain text, and the answer stays possible. */
describe('the form: a parked question', () => {
  const form = openForEach(questionSurface, { height: 1400 });
  const section = () => form.page.locator('[data-part=parked]');

  it('says that the agent ended its turn, and unfolds the brief', async () => {
    await form.send(snapshot(full({ parked: parkedBrief })));
    await section().getByText('copilot-001 parked this 12 min ago: it ended its turn.').waitFor();
    assert.equal(await section().getByText(parkedBrief.doing).isVisible(), false);
    await section().getByText('Resume brief').click();
    await section().getByText(parkedBrief.doing).waitFor();
    assert.deepEqual(await section().locator('dt').allTextContents(), ['Was doing', 'Next', 'Files', 'Check first']);
    await readAll(form.page);
    await form.page.keyboard.press('2');
    await form.page.locator('[data-act="decide"]').click();
    assert.equal((await form.posted()).at(-1)?.type, 'answer');
  });

  it('shows the brief as text, whatever an agent writes', async () => {
    const { checkFirst: _, ...brief } = parkedBrief;
    await form.send(snapshot(full({ parked: { ...brief, files: [], next: '<b>**Approve**</b>\u202e' } })));
    await section().getByText('Resume brief').click();
    assert.equal(await section().locator('b, strong').count(), 0);
    assert.match((await section().textContent()) ?? '', /<b>\*\*Approve\*\*<\/b>.*U\+202E/i);
    assert.deepEqual(await section().locator('dt').allTextContents(), ['Was doing', 'Next']);
  });

  it('says before the answer what starts the agent again, with the exact command, and offers no button', async () => {
    await form.send(snapshot(full({ parked: parkedBrief, resume: resumes.willStart })));
    const resume = section().locator('[data-part=resume]');
    await resume.getByText('Answering starts it again in a terminal:').waitFor();
    assert.equal(await resume.locator('pre').textContent(), resumes.willStart.command);
    assert.equal(await form.page.locator('[data-act=resume]').count(), 0);
  });

  it('starts the agent by a click after the answer, once for a double click', async () => {
    await form.send(states['resumable']!());
    await form.page.locator('[data-act=resume]').dblclick();
    const sent = (await form.posted()).filter(({ type }) => type === 'resume');
    assert.deepEqual(sent, [{ type: 'resume', key: full().key }]);
  });

  it('shows a hostile command as text, and no button where nothing can be started', async () => {
    const command = 'claude "<img src=x onerror=alert(1)>\u202e"';
    await form.send(snapshot(full({ parked: parkedBrief, resume: { ...resumes.canStart, command } })));
    const shown = section().locator('[data-part=resume]');
    assert.equal(await shown.locator('img').count(), 0);
    assert.match((await shown.locator('pre').textContent()) ?? '', /<img src=x.*U\+202E/i);
    await form.send(states['resumeMissing']!());
    await form.page.getByText('claude is not on the PATH').waitFor();
    assert.equal(await form.page.locator('[data-act=resume]').count(), 0);
  });

  it('is absent without a brief', async () => {
    await form.send(snapshot(full()));
    assert.equal(await section().count(), 0);
  });
});

/** Long texts and files of a question: a tab shows them whole. */
const long = Array.from({ length: 60 }, (_, n) => `+ line ${String(n)}`).join('\n');

describe('the form: long texts and files', () => {
  const form = openForEach(questionSurface, { height: 1400 });

  it('in the tab the context is whole, without unfolding it first', async () => {
    await form.send(snapshot(plain({ snippet: long }), { tab: true }));
    const isCut = await form.page.locator('.snippet').evaluate((one) => one.scrollHeight > one.clientHeight + 1);
    assert.equal(isCut, false);
    assert.ok((await form.page.locator('.snippet').innerText()).endsWith('+ line 59'));
  });

  it('files open at their line from the tab too', async () => {
    await form.send(snapshot(full(), { tab: true }));
    const [file] = full().files;
    await form.page.locator('[data-part=files] button.chip').first().click();
    assert.deepEqual(await onlyPosted(form, 'openFile'), {
      ...{ type: 'openFile', key: 'w1/Q-12', path: file?.path },
      ...(file?.line === undefined ? {} : { line: file.line }),
    });
  });
});
