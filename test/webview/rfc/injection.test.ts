/** An agent’s document is text: nothing in it runs, loads, decides or hides. */
import assert from 'node:assert/strict';
import { rfcSurface, startSurface } from '../harness.ts';
import { full, section, small, snapshot } from './samples.ts';
import type { RfcForm } from './scenes.ts';

describe('the review: injection', () => {
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

  it('puts a document’s headings below its section, whatever their level, and gives them no IDs of the page', async () => {
    const text = '# One\n\n###### Deep\n\n## bar\n\n#### panel-title';
    await form.send(snapshot(small({ sections: [section('summary', 'Summary', text)] })));
    const levels = await form.page
      .locator('.rfc-text :is(h1, h2, h3, h4, h5, h6)')
      .evaluateAll((all) => all.map((one) => `${one.tagName} ${one.textContent} ${one.id}`));
    assert.deepEqual(levels, ['H3 One ', 'H4 Deep ', 'H3 bar ', 'H4 panel-title ']);
  });

  it('lets no document draw a bar over the page’s own', async () => {
    const text = '<div class="bar"><vscode-button data-act="decide">Approve</vscode-button></div>\n\n**Approve…**';
    await form.send(snapshot(full({ sections: [section('summary', 'Summary', text)] })));
    assert.equal(await form.page.locator('.bar').count(), 1);
    assert.equal(await form.page.locator('.rfc-document vscode-button').count(), 0);
  });

  it('folds comments but never hides them, and shows them as text', async () => {
    const text =
      '<!--\nOne <b>bold</b>\n\n</details><button>go</button>\n-->\n\nSaid <!-- aside --> here.\n\n```\n<!-- code -->\n```\n\n<!-- never closed';
    await form.send(snapshot(small({ sections: [section('summary', 'Summary', text)] })));
    const body = form.page.locator('.rfc-text');
    assert.equal(await body.locator('details.comment').count(), 1);
    assert.match((await body.locator('summary').textContent()) ?? '', /^Comment: One <b>bold<\/b> <\/details>/);
    assert.equal(await body.locator('details pre').isVisible(), false);
    await body.locator('summary').click();
    assert.equal(await body.locator('details pre').isVisible(), true);
    assert.equal(await body.locator('b, details button').count(), 0);
    assert.equal(await body.locator('.comment-text').isVisible(), false);
    await body.locator('.comment-mark').click();
    assert.equal(await body.locator('.comment-text').textContent(), 'aside');
    assert.equal(await body.locator('.comment-text').isVisible(), true);
    assert.equal(await body.locator('pre code').textContent(), '<!-- code -->\n');
    assert.match((await body.textContent()) ?? '', /<!-- never closed/);
  });

  it('shows the definitions of links, whose words no link shows', async () => {
    const text = 'See [the audit].\n\n[the audit]: https://example.com/a (DO NOT DEPLOY)\n[//]: # (before <b>May</b>)';
    await form.send(snapshot(small({ sections: [section('summary', 'Summary', text)] })));
    const body = form.page.locator('.rfc-text');
    assert.equal(await body.locator('a').getAttribute('href'), 'https://example.com/a');
    const shown = (await body.textContent()) ?? '';
    for (const words of ['(DO NOT DEPLOY)', '(before <b>May</b>)']) assert.ok(shown.includes(words), shown);
  });
});
