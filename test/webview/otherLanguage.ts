/** Pages in the made-up language: any English text on one was not translated. */
import type { Page } from 'playwright-core';
import type { Form } from './harness.ts';
import { translate } from './madeUp.ts';

/** Names of keys on the keyboard, the notation for hidden characters, and words of the browser's own number and list formats. */
const keys = ['Ctrl+Enter', 'Ctrl+Z', 'U+', ' and ', ' MB'];

export interface Snapshots {
  view: { type: string };
}

/** A scene whose page was opened in the made-up language: selectors that name a button in English find it there. */
export function inOtherLanguage<Message, Sent>(form: Form<Message, Sent>): Form<Message, Sent> {
  return { ...form, page: inEnglish(form.page) };
}

/**
 * The texts on the page that were not translated, and are neither from a snapshot nor from the human's typing.
 * @param fields - the selector of the fields whose content a human types
 */
export async function untranslated(page: Page, sent: readonly Snapshots[], fields: string): Promise<string[]> {
  const data = [...keys, ...stringsIn(sent)];
  const kept = await page.evaluate(() => sessionStorage.getItem('state') ?? '{}');
  data.push(...stringsIn(JSON.parse(kept)));
  for (const input of await page.locator(fields).all()) data.push(await input.inputValue());
  const pieces = piecesOf(data);
  return (await said(page)).filter(
    (text) => isEnglish(text) && isEnglish(without(text, pieces)) && !isBeginning(text, data),
  );
}

function isEnglish(text: string): boolean {
  return /[A-Za-z]{2}/.test(text);
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

/** What a page may show of the data: a text, the parts that its Markdown divides it into, a hash's start. Longest first. */
function piecesOf(data: readonly string[]): string[] {
  const parts = data.flatMap((one) => one.split(isFingerprint(one) ? ' ' : /(?:<!--|-->|[/`*|\n\[\]()])+/));
  const hashes = data.filter((one) => /^[\da-f]{64}$/.test(one)).map((one) => one.slice(0, 8));
  const shown = [...data, ...parts, ...hashes].map((one) => one.replace(/^\s*(?:-|#+|>|\d+\.) /, '').trim());
  return [...new Set(shown)].filter((one) => one !== '').sort((a, b) => b.length - a.length);
}

/** Removes from a text what agents, the human or the file system contributed. */
function without(text: string, pieces: readonly string[]): string {
  return pieces.reduce((rest, piece) => rest.replaceAll(piece, ''), text);
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
