/** What is entered while an act of another place is on its way to the host stays. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface, startSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { changed, full, section, small, snapshot, states } from './samples.ts';
import type { RfcForm } from './scenes.ts';

describe('while an act of a review is in flight', () => {
  const form = openForEach(rfcSurface, { width: 1_280, height: 800 });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const field = (name: string) => form.page.locator(`[data-focus="${name}"]`);
  const answerBox = (question: string) => form.page.locator(`[data-question="${question}"] textarea`);

  /** Sends a reply, which stays in flight. */
  async function reply(text: string): Promise<string> {
    await form.page.locator('[data-thread="1"] [data-act=reply]').click();
    await form.page.keyboard.type(text);
    await settle(form.page);
    await form.page.keyboard.press('Control+Enter');
    return (await onlyPosted(form, 'reply')).act;
  }

  it('what is typed into an answer and a panel stays, with the focus, when the act is done', async () => {
    await form.send(snapshot(full()));
    const name = await reply('Good.');
    assert.equal(await field('reply:1.text').isDisabled(), true, 'what is being sent does not change');
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
    assert.equal(await field('reply:1.text').count(), 0, 'the reply was sent');
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
    assert.equal(await field('reply:1.text').inputValue(), 'Good.');
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

/** Changes of held files in a review: what changed during which call, and one message for each way out. */
describe('the review: held files that changed', () => {
  const form = openForEach(rfcSurface);
  const section = () => form.page.locator('[data-part=changes]');
  const act = (name: string, at = 0) => section().locator(`[data-act="${name}"]`).nth(at);
  const path = 'src/login/session.ts';

  it('names the call, and compares and restores without a signature', async () => {
    await form.send(snapshot(changed()));
    await section().getByText('Changed during npm run fmt -- --write .').waitFor();
    await settle(form.page);
    await act('compare-held').click();
    const { key } = changed();
    assert.deepEqual(await onlyPosted(form, 'compareHeld'), { type: 'compareHeld', key, path });
    await act('restore-held').click();
    assert.deepEqual((await form.posted()).at(-1), { type: 'restoreHeld', key, path });
  });

  it('accepts what is on the screen, and says why that failed', async () => {
    const sent = snapshot(changed());
    await form.send(sent);
    await settle(form.page);
    await act('accept-change').click();
    const { act: name, ...rest } = await onlyPosted(form, 'acceptChanges');
    const render = 'render' in sent.view && sent.view.render;
    assert.deepEqual(rest, { type: 'acceptChanges', key: changed().key, shown: 'sha256-rfc3-changed', render, path });
    const refused = {
      type: 'refused',
      act: name,
      reason: 'changed',
      text: 'This has changed since it was shown.',
    } as const;
    await form.send(snapshot(changed(), { outcome: refused }));
    await section().getByText('This has changed since it was shown.').waitFor();
    await settle(form.page);
    await act('accept-changes').click();
    const all = (await form.posted()).at(-1);
    assert.ok(all?.type === 'acceptChanges' && !('path' in all));
    await form.send(snapshot(full(), { outcome: { type: 'done', act: all.act, text: 'Accepted.' } }));
    assert.equal(await section().count(), 0);
  });
});

/** An RFC that takes several people: the head says who has signed, and fills in the same. */
describe('the review: decisions that take several people', () => {
  const form = openForEach(rfcSurface);

  it('fills in the terms that the others signed; approving is a step of its own', async () => {
    await form.send(states['severalPeople']!());
    await form.page.getByText('2 of Ada Lovelace, grace, linus must decide this.').waitFor();
    await form.page.locator('[data-act="sign-same"]').click();
    await settle(form.page);
    assert.deepEqual(await form.posted(), []);
    await form.page.locator('[data-act="decide"]').click();
    const { conditions } = await onlyPosted(form, 'approve');
    assert.deepEqual(conditions, ['Log every refund', 'At most 100 a day']);
  });

  it('offers no decision to somebody whom the policy does not name', async () => {
    await form.send(states['unlisted']!());
    await form.page.getByText('The policy does not list Ada Lovelace').waitFor();
    assert.equal(await form.page.locator('[data-act="approve"]').count(), 0);
  });
});

/** The review of an RFC in a small window. */
describe('the review in a small window', () => {
  const form = openForEach(rfcSurface);

  for (const [width, height] of [
    [250, 700],
    [720, 450],
    [540, 300],
  ] as const)
    it(`leaves most of ${String(width)}x${String(height)} to the text, and its link still jumps`, async () => {
      await form.page.setViewportSize({ width, height });
      await form.send(snapshot(full()));
      const bar = (await form.page.locator('.bar').boundingBox())!;
      assert.ok(bar.height <= height / 3, String(bar.height));
      // At 200 % and in narrow panes it is one row.
      if (height === 300 || width === 250) assert.ok(bar.height <= 48, String(bar.height));
      const [label, picker] = [form.page.getByText('Compare with'), form.page.locator('#compare')];
      assert.ok(Math.abs((await label.boundingBox())!.y - (await picker.boundingBox())!.y) < 12);
      await form.page.locator('[data-act="jump"]').first().click();
      assert.notEqual(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? ''), '');
      form.keep();
    });
});

/** An agent’s document is text: nothing in it runs, loads, decides or hides. */
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
