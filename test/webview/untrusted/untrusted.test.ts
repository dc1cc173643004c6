/**
 * Agents’ texts in every field of every webview: nothing in them runs, loads, decides, links elsewhere or hides. Each
 * payload goes through each field, several joined where they fit, and each alone through the Markdown pipeline. Unless
 * HOLDPOINT_RUNS=all, a day has an eighth of the states, and each of these a quarter of the payloads.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ofTheDay, runs, turnOf } from '../../support/runs.ts';
import { questionSurface, startSurface, type Form, type Harness } from '../harness.ts';
import { full, snapshot } from '../question/samples.ts';
import { kindsIn, look } from './looking.ts';
import { payloads } from './payloads.ts';
import { poisoner, type Field } from './poison.ts';
import { shown } from './surfaces.ts';

/** What Markdown may produce: see webview/shared/markdown.ts. */
const markdown = [
  ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a', 'hr', 'h3', 'h4', 'h5', 'h6'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'span', 'button', 'div@class', 'span@class', 'div@tabindex'],
  ...['th@align', 'td@align'],
  ...['a@href', 'a@rel', 'a@title', 'ol@start', 'pre@tabindex', 'button@type', 'button@class', 'button@title'],
];

/** This many payloads are joined in a field that has room for them. */
const joined = 24;
const chunks = Array.from({ length: Math.ceil(payloads.length / joined) }, (_, index) =>
  payloads.slice(index * joined, (index + 1) * joined).join('\n\n'),
);
/** Pages with hundreds of rows are drawn with a few rows only: all rows are alike. */
const fieldsAtMost = 400;

/** Every field gets every chunk in turn; a field too short for it gets a single payload that fits. */
function turn(number: number): (field: Field) => string {
  return ({ index, atMost }) => {
    const chunk = chunks[(index + number) % chunks.length]!;
    if (chunk.length <= atMost) return chunk;
    const fitting = payloads.filter(({ length }) => length <= atMost);
    return fitting[(index * 7 + number) % Math.max(1, fitting.length)] ?? 'x'.repeat(Math.min(atMost, 3));
  };
}

for (const { surface, states, width } of shown)
  describe(`untrusted text: ${surface.name}`, () => {
    let harness: Harness<{ type: string }, { view: { type: string } }>;
    let form: Form<{ type: string }, { view: { type: string } }>;
    let allowed: string[];
    before(async () => {
      harness = await startSurface(surface);
      form = await harness.open({ width, height: 2_000 });
      allowed = [
        ...markdown,
        ...(await kindsIn(
          form.page,
          Object.values(states).map((make) => make()),
        )),
      ];
    });
    after(async () => {
      await form.close();
      await harness.close();
    });
    afterEach(async () => {
      // Requests, policy violations, errors and dialogs: everything the page did besides drawing.
      assert.deepEqual(form.complaints, []);
      assert.deepEqual(await form.posted(), []);
    });

    for (const [state, [name, make]] of ofTheDay([...Object.entries(states).entries()]))
      it(`${name}: every payload in every field is inert`, async () => {
        const { fill, fields } = poisoner(make());
        const turns = fields > fieldsAtMost ? 2 : runs(chunks.length);
        // If not all turns run, the next state of the day continues with those that this one skipped.
        const snapshots = Array.from({ length: turns }, (_, number) => fill(turn(turnOf(state) * turns + number)));
        for (const [number, { found, links }] of (await look(form.page, snapshots, allowed)).entries()) {
          assert.deepEqual({ number, found }, { number, found: [] });
          for (const link of links) assert.match(link, /^https?:\/\/[^/]/, String(number));
        }
      });

    it('shows invisible characters everywhere', async () => {
      const hidden = `a\u202Eb\u200Bc\u2060d\u{E0041}e\u0007${'\u0336'.repeat(20)}`;
      for (const [name, make] of Object.entries(states)) {
        const { fill } = poisoner(make());
        const seen = await look(form.page, [fill(({ atMost }) => hidden.slice(0, atMost))], allowed);
        assert.deepEqual({ name, hidden: seen[0]!.hidden }, { name, hidden: [] });
      }
    });
  });

describe('untrusted text: Markdown', () => {
  let harness: Harness;
  let form: Form;
  before(async () => {
    harness = await startSurface(questionSurface);
    form = await harness.open({ height: 2_000 });
  });
  after(async () => {
    await form.close();
    await harness.close();
  });

  it('is inert for each payload alone', async () => {
    const allowed = [...markdown, ...(await kindsIn(form.page, [snapshot(full())]))];
    const snapshots = payloads.map((text) => snapshot(full({ text, background: text })));
    for (const [index, { found, links }] of (await look(form.page, snapshots, allowed)).entries()) {
      assert.deepEqual({ payload: payloads[index], found }, { payload: payloads[index], found: [] });
      for (const link of links) assert.match(link, /^https?:\/\/[^/]/, payloads[index]);
    }
    assert.deepEqual(form.complaints, []);
    assert.deepEqual(await form.posted(), []);
  });

  it('comes from payloads that would be live without the pipeline', async () => {
    const alive = await form.page.evaluate((all) => {
      const { body } = document.implementation.createHTMLDocument();
      return all.filter((payload) => {
        body.innerHTML = payload;
        return body.querySelector('*') !== null;
      }).length;
    }, payloads);
    assert.ok(payloads.length >= 400 && alive >= 150, `${String(alive)} of ${String(payloads.length)}`);
  });

  it('is found by the inspection if it is live', async () => {
    const kinds = await kindsIn(form.page, [snapshot(full())]);
    await form.page.evaluate(() => {
      const alive = document.createElement('img');
      alive.setAttribute('onerror', '0');
      document.body.append(alive);
    });
    const [seen] = await look(form.page, [snapshot(full())], kinds);
    assert.deepEqual(seen?.found, ['img', 'img@onerror']);
  });
});

it('the tests of untrusted text cover every webview', () => {
  const webview = path.join(import.meta.dirname, '..', '..', '..', 'webview');
  // The page around the forms in a browser has its own test of the corpus, on the running server (test/serve).
  const folders = readdirSync(webview).filter(
    (name) => name !== 'serve' && existsSync(path.join(webview, name, 'main.ts')),
  );
  assert.deepEqual(
    shown.map(({ surface }) => surface.name).toSorted(),
    folders.toSorted(),
    'add it to test/webview/untrusted/surfaces.ts',
  );
});
