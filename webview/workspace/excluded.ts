/** Which questions precedents never answer. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { link } from '../shared/buttons.ts';
import { hintFor } from '../shared/fields.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import { t } from '../shared/strings.ts';
import { linesOf } from './lines.ts';

const linesAtMost = 50;

export function missingExcluded(text: string): Missing | undefined {
  const n = linesOf(text).length;
  return n > linesAtMost ? { field: 'excluded', text: t('policy.excludedMany', { n, max: linesAtMost }) } : undefined;
}

export function excludedWords(lines: readonly string[]): string {
  return lines.length === 0 ? t('policy.excludedNone') : lines.join('; ');
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (excluded: string) => void;
  /** Shows the list of precedents. */
  readonly showAll: () => void;
}

export function excludedField(page: FormPage, excluded: string, editing: Editing): TemplateResult {
  const { disabled, edit, showAll } = editing;
  return html`<div class="policy-field">
    <label class="field-label" for="excluded">${t('policy.excluded')}</label>
    <textarea
      id="excluded"
      class="text"
      dir="ltr"
      rows="2"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      placeholder=${t('policy.excludedExample')}
      data-focus="excluded"
      aria-invalid=${page.hint()?.field === 'excluded' ? 'true' : nothing}
      aria-describedby="excluded-hint"
      ?disabled=${disabled}
      .value=${live(excluded)}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLTextAreaElement).value);
      }}
    ></textarea>
    ${hintFor(page, 'excluded')}
    <p class="quiet small" id="excluded-hint">${t('policy.excludedHint')} ${t('policy.excludedAlways')}</p>
    ${disabled ? nothing : html`<p class="small">${link(t('policy.precedents'), showAll, { act: 'precedents' })}</p>`}
  </div>`;
}
