import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { Imported } from '../../src/ui/kit/view.ts';
import { t } from './strings.ts';
import { visibleText } from './visible.ts';

const sources = {
  codeframe: t('imported from CodeFrame, not verified'),
  engram: t('imported from Engram, not verified'),
  markdown: t('imported from Markdown, not verified'),
  json: t('imported from an export, not verified'),
};

/** "imported from an export, not verified" */
export function importedMark({ from, source, ref }: Imported): TemplateResult {
  const title = t('{file}: {id}', { file: visibleText(source), id: visibleText(ref) });
  return html`<span class="imported" title=${title}><span class="ellipsis">${sources[from]}</span></span>`;
}
