/** A made-up language for tests: any English text on a page did not come from the host. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { english } from '../../src/protocol/strings/strings.ts';
import { startSurface } from './harness.ts';
import type { Form, Harness, Surface } from './harness.ts';

/** Looks like Greek; placeholders stay. */
function translate(text: string): string {
  return text.replace(/\{\w+\}|[A-Za-z]/g, (part) =>
    part.startsWith('{') ? part : String.fromCharCode(0x370 + (part.charCodeAt(0) - 0x41)),
  );
}

const strings = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, translate(text)]));
/** Names of keys on the keyboard, the notation for hidden characters, and words of the browser's own number and list formats. */
const keys = ['Ctrl+Enter', 'U+', ' and ', ' MB'];

/** Defines one test for each scene: every text on the page comes from the host. */
export function checkTranslated<
  Message extends { type: string },
  Sent extends { view: { type: string }; strings: Record<string, string> },
>(
  surface: Surface<Message, Sent>,
  scenes: Readonly<Record<string, (form: Form<Message, Sent>) => Promise<void>>>,
  fields: string,
): void {
  let harness: Harness<Message, Sent>;
  before(async () => {
    harness = await startSurface(surface);
  });
  after(() => harness.close());

  for (const [name, play] of Object.entries(scenes)) {
    it(name, async () => {
      const form = await harness.open();
      try {
        const data: string[] = [...keys];
        const translated = (snapshot: Sent): Sent => {
          data.push(...stringsIn({ ...snapshot, strings: {} }));
          return { ...snapshot, strings };
        };
        const foreign: Form<Message, Sent> = {
          ...form,
          page: inEnglish(form.page),
          show: (snapshot) => form.show(translated(snapshot)),
          send: (snapshot) => form.send(translated(snapshot)),
        };
        await play(foreign);
        // A scene types text as the human.
        const kept = await form.page.evaluate(() => sessionStorage.getItem('state') ?? '{}');
        data.push(...stringsIn(JSON.parse(kept)));
        for (const input of await form.page.locator(fields).all()) data.push(await input.inputValue());
        const left = (await said(form.page)).filter(
          (text) => /[A-Za-z]{2}/.test(without(text, data)) && !isBeginning(text, data),
        );
        assert.deepEqual(left, []);
      } finally {
        await form.close();
      }
    });
  }
}

/** Scenes name the buttons they press in English. */
function inEnglish(page: Page): Page {
  return new Proxy(page, {
    get(target, name) {
      if (name === 'getByRole')
        return (role: Parameters<Page['getByRole']>[0], options: { name?: string } = {}) =>
          target.getByRole(role, options.name === undefined ? {} : { name: translate(options.name) });
      if (name === 'getByText')
        return (text: string) => target.getByText(translate(text)).or(target.getByText(text)).first();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** A form may show the beginning of these. */
function isFingerprint(text: string): boolean {
  return /^[\da-f]{4}(?: [\da-f]{4})+$/.test(text);
}

/** The beginning of a longer text by an author. */
function isBeginning(text: string, data: readonly string[]): boolean {
  const letters = (one: string) => one.replace(/[^\p{L}]/gu, '');
  return text.endsWith('…') && data.some((one) => letters(one).includes(letters(text)));
}

/** Removes from a text what agents, the human or the file system contributed, longest first. */
function without(text: string, data: readonly string[]): string {
  const parts = data.flatMap((one) => one.split(isFingerprint(one) ? ' ' : /(?:<!--|-->|[/`*|\n\[\]()])+/));
  const said = [...data, ...parts].map((one) => one.replace(/^\s*(?:-|#+|>|\d+\.) /, '').trim());
  return said
    .filter((one) => one !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((rest, one) => rest.replaceAll(one, ''), text);
}

/** All texts that are shown, read aloud or shown on hover, except exact times, which the browser formats. */
function said(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('.page')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      // Code is coloured word by word; all of it is data.
      if (node.parentElement?.closest('pre code') == null) found.push(node.nodeValue ?? '');
    for (const element of document.querySelectorAll('.page *'))
      for (const name of ['title', 'aria-label', 'placeholder', 'aria-description'])
        if (element.tagName !== 'TIME' && element.closest('[aria-hidden=true]') === null)
          found.push(element.getAttribute(name) ?? '');
    return found.map((text) => text.trim()).filter((text) => text !== '');
  });
}
