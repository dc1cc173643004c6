import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** The glyphs in use; codicons.css has one rule for each. */
export type IconName =
  | 'arrow-right'
  | 'beaker'
  | 'check'
  | 'circle-filled'
  | 'circle-large-filled'
  | 'circle-large-outline'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'copy'
  | 'debug-continue'
  | 'debug-pause'
  | 'error'
  | 'file'
  | 'folder-opened'
  | 'history'
  | 'key'
  | 'link'
  | 'lock'
  | 'pass'
  | 'shield'
  | 'warning'
  | 'watch';

/** An icon says nothing by itself: a word always stands beside it, or the control has a label. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}
