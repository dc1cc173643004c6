/** Inspects how a page renders texts: runs in it, with many snapshots at once, since round trips cost more than drawing. */
import type { Page } from 'playwright-core';

/** Elements and their attributes, as `a@href`. */
export type Kinds = readonly string[];

/**
 * All kinds of elements and attributes in these snapshots, including those that the toolkit’s components add in
 * a later frame, such as `vscode-text-field@current-value`.
 */
export async function kindsIn(page: Page, snapshots: readonly object[]): Promise<string[]> {
  const kinds = new Set<string>();
  for (const { found } of await see(page, snapshots, [], 2)) for (const kind of found) kinds.add(kind);
  return [...kinds];
}

export interface Seen {
  /** Kinds of elements and attributes that are not allowed. */
  readonly found: readonly string[];
  /** Targets of links. */
  readonly links: readonly string[];
  /** Elements and attributes with invisible characters. */
  readonly hidden: readonly string[];
}

export function look(page: Page, snapshots: readonly object[], allowed: Kinds): Promise<Seen[]> {
  return see(page, snapshots, allowed, 0);
}

/** @param frames - how many frames pass between drawing and inspecting; none is the fastest */
function see(page: Page, snapshots: readonly object[], allowed: Kinds, frames: number): Promise<Seen[]> {
  return page.evaluate(
    async ({ sent, known, later }) => {
      const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\u0007\u001b]|\p{M}{7}/u;
      const expected = new Set(known);
      // The page registered its listener earlier, so it has drawn before this runs; its own follow-up comes next.
      const heard = (message: unknown) =>
        new Promise<void>((resolve) => {
          const after = () => {
            setTimeout(resolve, 0);
          };
          window.addEventListener('message', after, { once: true });
          window.postMessage(message, '*');
        });
      const result: Seen[] = [];
      for (const snapshot of sent) {
        await heard(snapshot);
        for (const details of document.querySelectorAll('details')) details.open = true;
        await heard(null);
        for (let frame = 0; frame < later; frame++) await new Promise(requestAnimationFrame);
        const all = [...document.querySelectorAll('body *')];
        const found = new Set<string>();
        const links: string[] = [];
        const hidden = new Set<string>();
        const check = (where: string, text: string) => {
          if (unseen.test(text)) hidden.add(where);
        };
        check('document.title', document.title);
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const parent = node.parentElement;
          if (parent && !parent.matches('script, style, textarea'))
            check(`${parent.tagName.toLowerCase()}.${parent.getAttribute('class') ?? ''}`, node.textContent ?? '');
        }
        for (const one of all) {
          const tag = one.tagName.toLowerCase();
          found.add(tag);
          for (const name of one.getAttributeNames()) {
            const value = one.getAttribute(name) ?? '';
            found.add(`${tag}@${name}`);
            if (/^(title|aria-label|aria-description|placeholder|alt|label)$/.test(name))
              check(`${tag}@${name}`, value);
            if (/^(href|src|action|formaction|xlink:href|data|poster|srcset)$/.test(name)) links.push(value);
          }
        }
        result.push({
          found: [...found].filter((kind) => !expected.has(kind)),
          links: [...new Set(links)],
          hidden: [...hidden],
        });
      }
      return result;
    },
    { sent: snapshots, known: allowed, later: frames },
  );
}
