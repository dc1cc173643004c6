/** A part of the background: collapsed below the form; expanded in a tab, which has room for it. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { part } from '../shared/folding.ts';
import type { Page } from './page.ts';

export function piece(page: Page, name: string, heading: unknown, content: unknown): TemplateResult {
  if (!page.inTab()) return part(page, name, heading, content);
  return html`<section data-part=${name}>
    <h2 class="evidence-head">${heading}</h2>
    ${content}
  </section>`;
}
