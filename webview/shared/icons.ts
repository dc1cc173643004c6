import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** The glyphs in use; codicons.css has one rule for each. */
export type IconName =
  | 'check'
  | 'circle-filled'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'debug-continue'
  | 'error'
  | 'file'
  | 'history'
  | 'key'
  | 'link'
  | 'lock'
  | 'pass'
  | 'settings-gear'
  | 'shield'
  | 'warning'
  | 'watch';

/** An icon says nothing by itself: a word always stands beside it, or the control has a label. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}
