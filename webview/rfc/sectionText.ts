/** The text of a section, as one element that is kept between renders. */
import type { Section } from '../../src/ui/rfc/sections.ts';
import { markdownOf } from '../shared/markdownSlot.ts';
import type { Page } from './page.ts';

export function sectionText(page: Page, key: string, { id, text = '' }: Section): HTMLElement {
  return markdownOf(page, { key, place: `section.${id}`, text: text.trim(), kind: 'document' });
}
