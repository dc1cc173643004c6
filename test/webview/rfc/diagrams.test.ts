/** Diagrams in an RFC: drawn in a frame that can do nothing else, and the code stays what is reviewed. */
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { rfcSurface, startSurface } from '../harness.ts';
import type { ThemeName } from '../themes.ts';
import { section, small, snapshot } from './samples.ts';
import type { RfcForm } from './scenes.ts';

const kinds = {
  flowchart: 'flowchart LR\n  A[Checkout] -->|writes| B[(SQLite)]\n  B --> C{Outbox full?}',
  sequence: 'sequenceDiagram\n  participant C as Checkout\n  C->>SQLite: insert\n  Note over C: once',
  state: 'stateDiagram-v2\n  [*] --> draft\n  draft --> approved: signed',
  class: 'classDiagram\n  Store <|-- SqliteStore\n  class Store {\n    +read() View\n  }',
  er: 'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
  gantt: 'gantt\n  dateFormat YYYY-MM-DD\n  section Phase\n  Write both :a, 2026-01-01, 10d',
};

const withDiagrams = (...texts: readonly string[]) =>
  snapshot(
    small({
      sections: [section('summary', 'Summary', texts.map((text) => `\`\`\`mermaid\n${text}\n\`\`\``).join('\n\n'))],
    }),
  );

describe('the review: diagrams', () => {
  let harness: Awaited<ReturnType<typeof start>>;
  let form: RfcForm;
  /** Requests that the policy did not stop. */
  let left: string[];
  const start = () => startSurface(rfcSurface);
  before(async () => {
    harness = await start();
  });
  after(() => harness.close());
  beforeEach(async () => {
    form = await harness.open({ width: 1_280, height: 3_000 });
    left = [];
    form.page.on('requestfinished', (request) => left.push(request.url()));
    form.page.on('requestfailed', (request) => {
      if (!/csp/i.test(request.failure()?.errorText ?? '')) left.push(request.url());
    });
  });
  afterEach(() => form.close());

  const outside = () => left.filter((url) => url.includes('evil.test'));
  const drawn = () => form.page.locator('.diagram-drawing.drawn');
  const frames = (): Frame[] => form.page.frames().filter((frame) => frame.parentFrame() !== null);

  it('are drawn at their size, by the kinds that documents use; the page complains of nothing', async () => {
    await form.send(withDiagrams(...Object.values(kinds)));
    await drawn()
      .nth(Object.keys(kinds).length - 1)
      .waitFor();
    for (const frame of frames()) {
      const { width, height } = (await (await frame.frameElement()).boundingBox())!;
      assert.ok(width > 40 && height > 40, `${String(width)}x${String(height)}`);
      const svg = (await frame.locator('svg').first().boundingBox())!;
      assert.deepEqual([Math.ceil(svg.width), Math.ceil(svg.height)], [width, height]);
    }
    const words = await Promise.all(frames().map((frame) => frame.locator('svg').first().textContent()));
    assert.match(words.join('\n'), /Outbox\s+full\?/);
    assert.deepEqual(form.complaints, []);
  });

  it('keep their code one click away', async () => {
    await form.send(withDiagrams(kinds.sequence));
    await drawn().waitFor();
    const code = form.page.locator('.diagram pre');
    assert.equal(await code.isVisible(), false);
    await form.page.getByText('Show code').click();
    assert.equal(await code.textContent(), `${kinds.sequence}\n`);
    await form.page.getByText('Your review applies to the code.').waitFor();
  });

  it('show their code at once where a drawing leaves something out', async () => {
    const hiding = [
      `${kinds.flowchart}\n  %% and delete the backups`,
      `${kinds.flowchart}\n  style A opacity:0`,
      `---\ntitle: x\n---\n${kinds.flowchart}`,
      `${kinds.flowchart}\n  D[\u202Eevil]`,
    ];
    await form.send(withDiagrams(...hiding));
    await drawn()
      .nth(hiding.length - 1)
      .waitFor();
    for (const code of await form.page.locator('.diagram pre').all()) assert.equal(await code.isVisible(), true);
  });

  it('that Mermaid cannot draw, or that are too large, stay code with the reason', async () => {
    const large = `flowchart LR\n${Array.from({ length: 500 }, (_, n) => `  A${String(n)} --> B`).join('\n')}`;
    await form.send(withDiagrams('flowchart LR\n  A[', 'pie title Pets\n  "Dogs" : 386', large));
    await form.page.getByText('This diagram is too large to draw, so its code is shown.').waitFor();
    await form.page.getByText('This diagram cannot be drawn, so its code is shown.').nth(1).waitFor();
    assert.equal(await drawn().count(), 0);
    assert.equal(await form.page.locator('.diagram pre').first().isVisible(), true);
  });

  it('follow the theme', async () => {
    await form.send(withDiagrams(kinds.flowchart));
    await drawn().waitFor();
    const looks = () =>
      frames()[0]!.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('.node text, .nodeLabel, text')!).fill,
      ]);
    const before = await looks();
    const theme: ThemeName = 'light';
    await form.wear(theme);
    await frames()[0]!.waitForFunction((was) => getComputedStyle(document.body).backgroundColor !== was, before[0]);
    await frames()[0]!.locator('svg').first().waitFor();
    const [background, ink] = await looks();
    assert.notEqual(background, before[0]);
    assert.notEqual(ink, before[1]);
    assert.equal(
      background,
      await form.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    );
  });

  /** What an author may try. Each goes into a label, a directive, or a statement of its own. */
  const attacks = [
    "flowchart LR\n  A[\"<img src=https://evil.test/a.png onerror=parent.postMessage({type:'snapshot'},'*')>\"] --> B",
    'flowchart LR\n  A["<script>parent.document.title=\'evil\'</script>"] --> B',
    'flowchart LR\n  A["<a href=\'https://evil.test/b\'>go</a>"] --> B\n  click A "https://evil.test/c" _blank',
    'flowchart LR\n  A --> B\n  click A href "javascript:parent.document.title=1"\n  click B call alert()',
    'flowchart LR\n  A@{ img: "https://evil.test/d.png", label: "x" } --> B',
    'flowchart LR\n  A["<foreignObject><iframe src=https://evil.test/e></iframe></foreignObject>"] --> B',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.test/f.css); * { background: url(https://evil.test/g.png) }"}}%%\nflowchart LR\n  A["<b onclick=alert(1)>x</b>"] --> B',
    '---\nconfig:\n  securityLevel: loose\n  fontFamily: "x;} @font-face { src: url(https://evil.test/h.woff) }"\n---\nflowchart LR\n  A --> B\n  classDef default fill:url(https://evil.test/i.svg)',
    'sequenceDiagram\n  participant A\n  links A: {"x": "https://evil.test/j", "y": "javascript:alert(1)"}\n  A->>A: <svg onload=alert(1)>',
    'classDiagram\n  class A\n  link A "https://evil.test/k" "tip"\n  callback A "alert" "tip"',
    'gantt\n  dateFormat YYYY-MM-DD\n  section <img src=x onerror=alert(1)>\n  T :a, 2026-01-01, 1d\n  click a href "https://evil.test/l"',
  ];

  it('do nothing but draw: no script, link, image or request, and no word to the page', async () => {
    await form.send(withDiagrams(...attacks));
    const settled = form.page.locator('.diagram:has(.drawn), .diagram:has(> p)');
    await settled.nth(attacks.length - 1).waitFor();
    const held = frames();
    assert.ok(held.length > attacks.length / 2, 'most are drawn');
    for (const frame of held) {
      assert.equal(await frame.locator('a, image, img, foreignObject, iframe, svg script, use, object').count(), 0);
      const handlers = await frame.evaluate(() =>
        [...document.querySelectorAll('svg, svg *')].flatMap(({ attributes }) =>
          [...attributes].filter(({ name, value }) => /^on|href/i.test(name) || /evil\.test|javascript:/i.test(value)),
        ),
      );
      assert.equal(handlers.length, 0);
    }
    // The policy stops some attempts and says so. Nothing went out, and no dialog came up.
    assert.deepEqual(
      form.complaints.filter((complaint) => !/^(?:console|request): /.test(complaint)),
      [],
    );
    assert.deepEqual(outside(), []);
    assert.deepEqual(await form.posted(), []);
    assert.equal(await form.page.locator('main').getAttribute('data-view'), 'rfc');
  });

  it('stand in a frame without an origin, a network, or a way to be clicked', async () => {
    await form.send(withDiagrams(kinds.flowchart, kinds.sequence));
    await drawn().nth(1).waitFor();
    const element = form.page.locator('.diagram iframe').first();
    assert.equal(await element.getAttribute('sandbox'), 'allow-scripts');
    assert.equal(await element.evaluate((one) => getComputedStyle(one).pointerEvents), 'none');
    // As if Mermaid had been made to run the author's code.
    const results = await frames()[0]!.evaluate(async () => {
      const tried = async (attempt: () => unknown) => {
        try {
          await attempt();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      parent.postMessage({ type: 'snapshot', view: { type: 'unavailable', title: 'evil', text: 'evil' } }, '*');
      return {
        origin: self.origin,
        fetch: await tried(() => fetch('https://evil.test/m')),
        image: await tried(
          () =>
            new Promise((resolve, reject) => {
              const image = new Image();
              image.onload = resolve;
              image.onerror = () => {
                reject(new DOMException('', 'NetworkError'));
              };
              image.src = 'https://evil.test/n.png';
            }),
        ),
        parent: await tried(() => parent.document.title),
        top: await tried(() => {
          top!.location.href = 'https://evil.test/o';
        }),
        code: await tried(() => (0, eval)('1')),
      };
    });
    assert.deepEqual(results, {
      origin: 'null',
      fetch: 'TypeError',
      image: 'NetworkError',
      parent: 'SecurityError',
      top: 'SecurityError',
      code: 'EvalError',
    });
    const [first, second] = frames();
    const size = await element.boundingBox();
    await first!.evaluate(() => {
      for (const width of [1e9, -1, Number.NaN, '1px', null])
        parent.postMessage({ type: 'drawn', width, height: 5 }, '*');
      parent.postMessage({ type: 'failed' }, '*');
    });
    await second!.evaluate(() => {
      location.href = 'https://evil.test/p';
    });
    await form.page.waitForTimeout(300);
    assert.deepEqual(await element.boundingBox(), size);
    assert.equal(await form.page.locator('.rfc-title').count(), 1, 'the page has not taken the frame for its host');
    assert.deepEqual(outside(), []);
    form.keep();
  });
});
