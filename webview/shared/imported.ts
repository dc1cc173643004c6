import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { Imported } from '../../src/protocol/kit/shared.ts';
import { t } from './strings.ts';
import { visibleText } from './visible.ts';

/** "imported from an export, not verified" */
export function importedMark({ from, source, ref }: Imported): TemplateResult {
  const title = t('imported.from', { file: visibleText(source), id: visibleText(ref) });
  return html`<span class="imported" title=${title}><span class="ellipsis">${t(`imported.${from}`)}</span></span>`;
}
