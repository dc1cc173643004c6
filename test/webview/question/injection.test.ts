/** Text from agents is text: nothing in it runs, loads, decides, or hides. */
import assert from 'node:assert/strict';
import { startHarness, type Form, type Harness } from '../harness.ts';
import { full, plain, snapshot } from './samples.ts';

describe('the form: injection', () => {
  let harness: Harness;
  let form: Form;
  before(async () => {
    harness = await startHarness();
    form = await harness.open({ height: 3_000 });
  });
  after(async () => {
    await form.close();
    await harness.close();
  });

  it('links: http and https stay, files go through the host, all else is text', async () => {
    const text =
      'See https://example.test/a, [docs](https://example.test/b), [login](src/auth/login.ts#L48), [csv](./src/a%20b.ts:7), ' +
      '[abs](file:///project/x.ts), [cmd](command:x), notes.md and auth.rs.';
    await form.send(snapshot(plain({ text })));
    const question = form.page.locator('.question-text');
    assert.deepEqual(await question.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))), [
      'https://example.test/a',
      'https://example.test/b',
    ]);
    for (const name of ['login', 'csv', 'abs']) await question.getByRole('button', { name }).click();
    assert.deepEqual(await form.posted(), [
      { type: 'openFile', key: 'w1/Q-12', path: 'src/auth/login.ts', line: 48 },
      { type: 'openFile', key: 'w1/Q-12', path: './src/a b.ts', line: 7 },
      { type: 'openFile', key: 'w1/Q-12', path: '/project/x.ts' },
    ]);
    assert.equal(await question.getByText('cmd').evaluate((one) => one.closest('a, button') === null), true);
  });

  it('a payload is folded text to read, whatever it contains, and a long one scrolls', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `line ${String(n)}`);
    const hostile = { html: '<img src=x onerror="document.title=1"><script>1</script>', link: '[a](command:x)', lines };
    const payload = JSON.stringify({ ...hostile, hidden: 'a\u202eb' }, null, 2);
    const before = await form.posted();
    await form.send(snapshot(plain({ payload })));
    const fold = form.page.locator('details').filter({ has: form.page.locator('summary', { hasText: 'Payload' }) });
    const text = fold.locator('pre');
    assert.equal(await text.isVisible(), false);
    await fold.locator('summary').click();
    assert.equal(await text.isVisible(), true);
    assert.equal(await text.textContent(), payload.replace('\u202e', 'U+202E'));
    assert.equal(await text.locator('img, script, a, button, input, textarea, [contenteditable]').count(), 0);
    assert.ok(
      await text.evaluate((one) => one.scrollHeight > one.clientHeight && getComputedStyle(one).overflowY === 'auto'),
    );
    assert.deepEqual(await form.posted(), before);
    await form.send(snapshot(plain()));
    assert.equal(await fold.count(), 0);
  });

  it('a text of a right-to-left language does not turn its neighbours around', async () => {
    await form.send(snapshot(full({ agent: 'סוכן', text: 'האם להמשיך עם Redis?' })));
    const order = await form.page
      .locator('.facts > *')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    assert.deepEqual(
      order.slice(0, 3),
      order.slice(0, 3).toSorted((a, b) => a - b),
    );
  });
});
