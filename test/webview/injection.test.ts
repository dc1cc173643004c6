/** Text from agents is text: nothing in it runs, loads, decides, or hides. */
import assert from 'node:assert/strict';
import { snapshot as snapshotSchema } from '../../src/protocol/question.ts';
import type { Snapshot } from '../../src/protocol/question.ts';
import { startHarness } from './harness.ts';
import type { Form, Harness } from './harness.ts';
import { full, plain, snapshot, states } from './samples.ts';

const payloads = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<style>@import "http://evil.test/x.css"</style>',
  '<link rel=stylesheet href=http://evil.test/x.css>',
  '<meta http-equiv=refresh content="0;url=http://evil.test">',
  '<base href=http://evil.test/>',
  '<form action=http://evil.test><button>Answer</button></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<a href="javascript:alert(1)">x</a>',
  '<vscode-button data-act="decide" autofocus>Answer</vscode-button>',
  '<input name=choice id=choice-0 type=radio checked>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](vbscript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](command:workbench.action.quit)',
  '[x](vscode://holdpoint/answer?yes)',
  '[x](//evil.test/a)',
  '[x](mailto:a@evil.test)',
  '<javascript:alert(1)>',
  '<command:workbench.action.quit>',
  '![x](http://evil.test/pixel.png)',
  '![x](x.png "t" onerror=alert(1))',
  '[![x](http://evil.test/p.png)](command:a)',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x](http://a.test "onmouseover=alert(1)")',
  '[x](http://a.test/"onmouseover="alert(1))',
  '`<img src=x onerror=alert(1)>`',
  '```js" onmouseover="alert(1)\nx\n```',
  '| <img src=x onerror=alert(1)> |\n|-|\n| [x](javascript:alert(1)) |',
  '${alert(1)} {{constructor.constructor("alert(1)")()}}',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '<p style="position:fixed;inset:0;background:url(http://evil.test)">Answer</p>',
  '<x-y is=script src=http://evil.test/x.js></x-y>',
];

/** These are not shown as text, or are words from a closed list. */
const notText = new Set([
  ...['type', 'key', 'shown', 'render', 'urgency', 'kind', 'mode', 'freeText', 'claim', 'action', 'question'],
  'onExpiry',
  ...['at', 'now', 'since', 'raisedAt', 'expiresAt', 'copyFrom', 'locale'],
]);

/** The same snapshot with `payload` in every text of it. */
function poison<T>(value: T, payload: string, name = ''): T {
  if (typeof value === 'string') return (notText.has(name) ? value : payload.slice(0, 100)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => poison(item, payload, name)) as T;
  // The words of the page are the host's own.
  if (typeof value !== 'object' || value === null || name === 'strings') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, poison(item as unknown, payload, key)]),
  ) as T;
}

const dangerous =
  'script, img, svg, math, iframe, object, embed, link, meta, base, style, form[action], [style], [is], [srcdoc], [autofocus]';

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

  /** Draws it and looks at what became of it, without waiting for the form to settle: there are many. */
  async function show(value: Snapshot): Promise<{ dangerous: string[]; handlers: string[]; links: string[] }> {
    await form.page.evaluate(async (message) => {
      window.postMessage(message, '*');
      await new Promise((resolve) => setTimeout(resolve, 10));
      for (const details of document.querySelectorAll('details')) details.open = true;
    }, snapshotSchema.parse(value));
    return form.page.evaluate((selector) => {
      const all = [...document.querySelectorAll('main, main *')];
      return {
        dangerous: all.filter((one) => one.matches(selector)).map((one) => one.outerHTML),
        handlers: all
          .filter((one) => one.getAttributeNames().some((name) => name.startsWith('on')))
          .map((one) => one.outerHTML),
        links: all.flatMap((one) => (one.hasAttribute('href') ? [one.getAttribute('href') ?? ''] : [])),
      };
    }, dangerous);
  }

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
        const seen = await show(poison(make(), payload));
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
    await form.send(poison(states['full']!(), hidden));
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
