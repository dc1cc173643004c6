/** One section: its text or changes, its alternatives and questions, and the threads beside it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import type { Section } from '../../src/ui/rfc/sections.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { alternatives, alternativesAs } from './alternatives.ts';
import { changeMarks } from './contents.ts';
import { difference } from './difference.ts';
import type { Page } from './page.ts';
import { commentOn } from './places.ts';
import { questions } from './questions.ts';
import { sectionText } from './sectionText.ts';
import { threads } from './threads.ts';

export function section(page: Page, view: RfcView, one: Section): TemplateResult {
  return html`<section class="rfc-section ${hasMargin(page, one) ? 'has-threads' : ''}" data-section=${one.id}>
    <div class="rfc-body">
      <h2 class="rfc-heading" tabindex="-1" dir="auto">
        <span>${visible(one.title)}</span> ${one.change === 'none' ? nothing : changeMark(one.change)}
      </h2>
      ${content(page, view, one)} ${questions(page, view, one)}
    </div>
    ${threads(page, view, one)}
  </section>`;
}

function hasMargin(page: Page, { id, threads: all }: Section): boolean {
  const { open, pending } = page.draft();
  return (
    all.some(({ resolved }) => !resolved) || open === commentOn(id) || pending.some(({ section }) => section === id)
  );
}

function changeMark(change: Exclude<Section['change'], 'none'>): TemplateResult {
  const { icon: name, mark, words } = changeMarks[change];
  return html`<span class="change" title=${words}>${icon(name)}${mark}</span>`;
}

function content(page: Page, view: RfcView, one: Section): unknown {
  if (view.compared === undefined || one.text === undefined) return whole(page, view, one);
  if (one.difference) return html`${difference(one.difference)} ${alternatives(page, view.key, one)}`;
  if (one.text === '' && one.alternatives.length === 0) return nothing;
  return part(page, `same.${one.id}`, t('Not changed'), whole(page, view, one));
}

function whole(page: Page, view: RfcView, one: Section): unknown {
  const text = one.text?.trim() ?? '';
  if (one.text !== undefined && text === '' && one.alternatives.length === 0 && one.questions.length === 0)
    return html`<p class="quiet">
      ${one.change === 'gone' ? t('no longer in this revision') : t('This section is empty.')}
    </p>`;
  const written = text === '' ? nothing : html`<div class="rfc-text">${sectionText(page, view.key, one)}</div>`;
  const as = alternativesAs(one);
  if (as === 'text') return written;
  const table = alternatives(page, view.key, one);
  if (as === 'both') return html`${written} ${table}`;
  return html`${table} ${part(page, `written.${one.id}`, t('As written'), written)}`;
}
