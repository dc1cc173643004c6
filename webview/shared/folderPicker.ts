/** Selects one of the window's folders, if there are several. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { visibleText } from './visible.ts';

interface ChoosesFolder {
  readonly dispatch: (message: { readonly type: 'folder'; readonly key: string }) => void;
}

interface Folders {
  readonly folders: readonly { readonly key: string; readonly name: string }[];
  /** The key of the displayed folder. */
  readonly folder: string;
}

export function folderPicker(
  page: ChoosesFolder,
  { folders, folder }: Folders,
  label: string,
): TemplateResult | typeof nothing {
  if (folders.length < 2) return nothing;
  return html`<label class="folder quiet"
    >${label}
    <select
      data-act="folder"
      @change=${(event: Event) => {
        page.dispatch({ type: 'folder', key: (event.target as HTMLSelectElement).value });
      }}
    >
      ${folders.map(
        ({ key, name }) => html`<option value=${key} ?selected=${key === folder}>${visibleText(name)}</option>`,
      )}
    </select></label
  >`;
}
