/** Text from agents is text: nothing in it runs, loads, decides, or hides. */
import assert from 'node:assert/strict';
import { snapshot as snapshotSchema } from '../../src/protocol/question.ts';
import { startHarness } from './harness.ts';
import type { Form, Harness } from './harness.ts';
import { payloads, poison, show } from './payloads.ts';
import { full, plain, snapshot, states } from './samples.ts';

/** These are not shown as text, or are words from a closed list. */
const notText = new Set([
  ...['type', 'key', 'shown', 'render', 'urgency', 'kind', 'mode', 'freeText', 'claim', 'action', 'question'],
  ...['onExpiry', 'overdue', 'status', 'actions', 'step'],
  ...['at', 'now', 'since', 'raisedAt', 'createdAt', 'dueAt', 'expiresAt', 'copyFrom', 'locale'],
]);

describe('the form: injection', function () {
  this.timeout(60_000);
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

  // The states that show a text no other shows.
  const shows = [
    'full',
    'async',
    'forgeries',
    'answered',
    'released',
    'expired',
    'locked',
    'nothing',
    'releaseAll',
    'policy',
    'recovery',
    'enrol',
    'noFolder',
  ];
  for (const name of shows) {
    const make = states[name]!;
    it(`${name}: nothing in any field is alive`, async () => {
      for (const payload of payloads) {
        const seen = await show(form.page, snapshotSchema.parse(poison(make(), payload, notText)));
        assert.deepEqual({ payload, ...seen, links: [] }, { payload, dangerous: [], handlers: [], links: [] });
        for (const link of seen.links) assert.match(link, /^https?:\/\//, payload);
      }
      assert.deepEqual(form.complaints, []);
      assert.deepEqual(await form.posted(), []);
    });
  }

  it('the payloads are what they claim: without the pipeline they would be alive', async () => {
    const alive = await form.page.evaluate((all) => {
      const { body } = document.implementation.createHTMLDocument();
      return all.filter((payload) => {
        body.innerHTML = payload;
        return body.querySelector('*') !== null;
      }).length;
    }, payloads);
    assert.ok(alive >= 20, String(alive));
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

  it('characters one would not see are shown, everywhere', async () => {
    const hidden = 'user\u202Egnp.exe\u200B zero\u2060 tag\u{E0041} \u0007';
    await form.send(poison(states['full']!(), hidden, notText));
    const text = await form.page.locator('main').evaluate((main) => (main as HTMLElement).innerText);
    assert.doesNotMatch(text, /[\u202E\u200B\u2060\u{E0041}\u0007]/u);
    assert.ok(text.includes('U+202E') && text.includes('U+200B') && text.includes('U+E0041'));
    const titles = await form.page
      .locator('main [title], main [aria-label]')
      .evaluateAll((all) =>
        all.map((one) => `${one.getAttribute('title')}${one.getAttribute('aria-label')}`).join(' '),
      );
    assert.doesNotMatch(titles, /[\u202E\u200B\u2060\u{E0041}\u0007]/u);
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
