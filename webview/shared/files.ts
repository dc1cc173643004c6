import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { FileRef } from '../../src/ui/kit/view.ts';
import { few } from './folding.ts';
import type { Folds, OpensFiles } from './formPage.ts';
import { icon } from './icons.ts';
import { t } from './strings.ts';
import { byHuman } from './trusted.ts';
import { visible, visibleText } from './visible.ts';

/** Files as chips: the name first, then its folder, as the editor lists files. */
export function fileChips(
  page: Folds & OpensFiles,
  key: string,
  name: string,
  files: readonly FileRef[],
): TemplateResult {
  const { items, more } = few(page, name, files);
  return html`<ul class="chips">
    ${items.map((file) => html`<li>${fileChip(page, key, file)}</li>`)}
    ${more === nothing ? nothing : html`<li>${more}</li>`}
  </ul>`;
}

export function fileChip(page: OpensFiles, key: string, file: FileRef): TemplateResult {
  const slash = file.path.lastIndexOf('/');
  const name = file.path.slice(slash + 1);
  const place = visibleText(file.line === undefined ? file.path : `${file.path}:${file.line}`);
  const content = html`${icon(file.exists ? 'file' : 'circle-slash')}<bdi class="chip-name"
      >${visible(name)}${file.line === undefined ? nothing : `:${file.line}`}</bdi
    >${slash > 0 ? html`<bdi class="chip-folder">${visible(file.path.slice(0, slash))}</bdi>` : nothing}`;
  if (!file.exists) {
    const gone = t('{path} does not exist', { path: place });
    return html`<span class="chip chip-gone" title=${gone}>${content}<span class="sr-only">${gone}</span></span>`;
  }
  const open = byHuman(() =>
    page.dispatch({ type: 'openFile', key, path: file.path, ...(file.line === undefined ? {} : { line: file.line }) }),
  );
  const label = t('Open {path} to the side', { path: place });
  return html`<button type="button" class="chip" title=${label} aria-label=${label} @click=${open}>${content}</button>`;
}
