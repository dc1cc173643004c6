/** A comparison of two texts, by line and, within a line, by word. */
import { html, type TemplateResult } from 'lit';
import type { DifferenceRow } from '../../src/core/kit/difference.ts';
import { visible } from './elements.ts';
import { t, tn } from './strings.ts';

const signs = { added: '+', removed: '−' } as const;

export function difference(rows: readonly DifferenceRow[]): TemplateResult[] {
  return rows.map((one, index) => row(one, rows[index - 1]?.type !== one.type));
}

/** @param first screen readers hear "added" once for each run of lines */
function row(one: DifferenceRow, first: boolean): TemplateResult {
  if (one.type === 'gap')
    return html`<p class="difference-gap">${tn(one.lines, '{n} unchanged line', '{n} unchanged lines')}</p>`;
  if (one.type === 'same') return html`<p class="difference-row">${line(visible(one.text))}</p>`;
  return html`<p class="difference-row difference-${one.type}">
    ${first ? html`<span class="sr-only">${one.type === 'added' ? t('added') : t('removed')}: </span>` : ''}<span
      class="difference-sign"
      aria-hidden="true"
      >${signs[one.type]}</span
    >${line(one.pieces.map(piece(one.type)))}
  </p>`;
}

/** Preserves the text's white space; the template adds none. */
function line(content: unknown): TemplateResult {
  return html`<span class="difference-text">${content}</span>`;
}

function piece(type: 'added' | 'removed') {
  return ({ text, changed }: { text: string; changed: boolean }) => {
    if (!changed) return visible(text);
    return type === 'added' ? html`<ins>${visible(text)}</ins>` : html`<del>${visible(text)}</del>`;
  };
}
