/** What an agent might write to break out of its text, and what became of it. */
import type { Page } from 'playwright-core';

export const payloads = [
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

/** The same snapshot with `payload` in every text of it. */
export function poison<T>(value: T, payload: string, notText: ReadonlySet<string>, name = ''): T {
  if (typeof value === 'string') return (notText.has(name) ? value : payload.slice(0, 100)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => poison(item, payload, notText, name)) as T;
  // The words of the page are the host's own.
  if (typeof value !== 'object' || value === null || name === 'strings') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, poison(item as unknown, payload, notText, key)]),
  ) as T;
}

const dangerous =
  'script, img, svg, math, iframe, object, embed, link, meta, base, style, form[action], [style], [is], [srcdoc], [autofocus]';

/** Draws a message and looks at what became of it, without waiting for the page to settle: there are many. */
export async function show(
  page: Page,
  message: object,
): Promise<{ dangerous: string[]; handlers: string[]; links: string[] }> {
  await page.evaluate(async (sent) => {
    window.postMessage(sent, '*');
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (const details of document.querySelectorAll('details')) details.open = true;
  }, message);
  return page.evaluate((selector) => {
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
