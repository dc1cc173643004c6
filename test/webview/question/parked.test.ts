/** The resume brief of an agent that stopped waiting: folded, as plain text, and the answer stays possible. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { readAll } from '../../support/answerForm.ts';
import { questionSurface } from '../harness.ts';
import { full, parkedBrief, resumes, snapshot, states } from './samples.ts';

describe('the form: a parked question', () => {
  const form = openForEach(questionSurface);
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
