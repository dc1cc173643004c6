/** A document from an agent is text: nothing in it runs, loads, decides, or hides. */
import assert from 'node:assert/strict';
import { rfcSnapshot } from '../../../src/protocol/rfc.ts';
import { rfcSurface, startSurface } from '../harness.ts';
import { payloads, poison, show } from '../payloads.ts';
import { full, section, small, snapshot, states } from './samples.ts';
import type { RfcForm } from './scenes.ts';

/** These are not shown as text, or are words from a closed list. */
const notText = new Set([
  ...['type', 'key', 'id', 'shown', 'render', 'kind', 'status', 'stage', 'verdict', 'confidence', 'change', 'way'],
  ...['action', 'at', 'now', 'proposedAt', 'locale'],
]);

describe('the review: injection', function () {
  this.timeout(60_000);
  let harness: Awaited<ReturnType<typeof start>>;
  let form: RfcForm;
  const start = () => startSurface(rfcSurface);
  before(async () => {
    harness = await start();
    form = await harness.open({ width: 1_280, height: 3_000 });
  });
  after(async () => {
    await form.close();
    await harness.close();
  });

  for (const name of ['full', 'comparing', 'noModel', 'amendment', 'approved', 'rejected', 'locked', 'unavailable']) {
    it(`${name}: nothing in any field is alive`, async () => {
      for (const payload of payloads) {
        const seen = await show(form.page, rfcSnapshot.parse(poison(states[name]!(), payload, notText)));
        assert.deepEqual({ payload, ...seen, links: [] }, { payload, dangerous: [], handlers: [], links: [] });
        for (const link of seen.links) assert.match(link, /^https?:\/\//, payload);
      }
      assert.deepEqual(form.complaints, []);
      assert.deepEqual(await form.posted(), []);
    });
  }

  it('characters one would not see are shown, in the document and in what changed', async () => {
    const hidden = 'approve\u202Egnp.exe\u200B zero\u2060 tag\u{E0041}';
    for (const name of ['full', 'comparing']) {
      await form.send(poison(states[name]!(), hidden, notText));
      const text = await form.page.locator('main').evaluate((main) => (main as HTMLElement).innerText);
      assert.doesNotMatch(text, /[\u202E\u200B\u2060\u{E0041}]/u);
      assert.ok(text.includes('U+202E') && text.includes('U+200B') && text.includes('U+E0041'));
    }
  });

  it('headings of a document stand below its section, whatever their level, and name nothing of the page', async () => {
    const text = '# One\n\n###### Deep\n\n## bar\n\n#### panel-title';
    await form.send(snapshot(small({ sections: [section('summary', 'Summary', text)] })));
    const levels = await form.page
      .locator('.rfc-text :is(h1, h2, h3, h4, h5, h6)')
      .evaluateAll((all) => all.map((one) => `${one.tagName} ${one.textContent} ${one.id}`));
    assert.deepEqual(levels, ['H3 One ', 'H4 Deep ', 'H3 bar ', 'H4 panel-title ']);
  });

  it('a document cannot draw a bar of its own over the page’s', async () => {
    const text = '<div class="bar"><vscode-button data-act="decide">Approve</vscode-button></div>\n\n**Approve…**';
    await form.send(snapshot(full({ sections: [section('summary', 'Summary', text)] })));
    assert.equal(await form.page.locator('.bar').count(), 1);
    assert.equal(await form.page.locator('.rfc-document vscode-button').count(), 0);
  });
});
