/** Which questions precedents never answer. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import { t } from '../shared/strings.ts';
import { linesOf } from './lines.ts';
import { linesField } from './linesField.ts';

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
  return linesField(page, {
    name: 'excluded',
    label: t('policy.excluded'),
    example: t('policy.excludedExample'),
    hint: `${t('policy.excludedHint')} ${t('policy.excludedAlways')}`,
    value: excluded,
    ...{ disabled, edit },
    more: disabled
      ? nothing
      : html`<p class="small">${link(t('policy.precedents'), showAll, { act: 'precedents' })}</p>`,
  });
}
