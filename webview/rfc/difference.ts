/** The changes in a section, by line and, within a line, by word. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { DifferenceRow } from '../../src/core/kit/difference.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';

export function difference(rows: readonly DifferenceRow[]): TemplateResult {
  return html`<div class="difference" dir="auto">${rows.map(row)}</div>`;
}

const signs = { added: '+', removed: '−' } as const;

function row(one: DifferenceRow): TemplateResult {
  if (one.type === 'gap')
    return html`<p class="difference-gap">${tn(one.lines, '{n} unchanged line', '{n} unchanged lines')}</p>`;
  if (one.type === 'same') return html`<p class="difference-row">${line(visible(one.text))}</p>`;
  return html`<p class="difference-row difference-${one.type}">
    <span class="sr-only">${one.type === 'added' ? t('added') : t('removed')}: </span
    ><span class="difference-sign" aria-hidden="true">${signs[one.type]}</span>${line(one.pieces.map(piece(one.type)))}
  </p>`;
}

/** Preserves the document's white space; the template adds none. */
function line(content: unknown): TemplateResult {
  return html`<span class="difference-text">${content}</span>`;
}

function piece(type: 'added' | 'removed') {
  return ({ text, changed }: { text: string; changed: boolean }) => {
    if (!changed) return visible(text);
    return type === 'added' ? html`<ins>${visible(text)}</ins>` : html`<del>${visible(text)}</del>`;
  };
}
