/** Headings within sections, for the contents: all in a short document, the current section's in a long one. */
import type { RfcView } from '../../src/ui/rfc/model.ts';
import type { Section } from '../../src/ui/rfc/sections.ts';
import type { Page } from './page.ts';
import { isCurrent } from './reading.ts';
import { sectionText } from './sectionText.ts';

const short = 40;
const atMost = 100;

export function headingsOf(page: Page, view: RfcView): ReadonlyMap<string, readonly HTMLElement[]> {
  const all = new Map(view.sections.map((one) => [one.id, inText(page, view, one)]));
  const count = [...all.values()].reduce((sum, { length }) => sum + length, 0);
  if (count <= short) return all;
  return new Map([...all].map(([id, headings]) => [id, isCurrent(id) ? headings.slice(0, atMost) : []]));
}

/** A comparison shows lines, without headings. */
function inText(page: Page, view: RfcView, section: Section): HTMLElement[] {
  if (view.compared !== undefined || (section.text ?? '') === '') return [];
  return [...sectionText(page, view.key, section).querySelectorAll('h3')];
}
