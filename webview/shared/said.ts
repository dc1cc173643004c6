/** An answer as it was or will be sent. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { visible } from './visible.ts';

export function said(labels: readonly string[], text: string): TemplateResult {
  return html`<blockquote class="said" dir="auto">
    ${labels.map((label) => html`<p class="said-choice">${visible(label)}</p>`)}
    ${text === '' ? nothing : html`<p class="said-text">${visible(text)}</p>`}
  </blockquote>`;
}
