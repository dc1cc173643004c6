import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** The glyphs in use; codicons.css has one rule for each. */
export type IconName =
  | 'add'
  | 'check'
  | 'circle-filled'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'comment'
  | 'debug-continue'
  | 'diff-added'
  | 'diff-modified'
  | 'diff-removed'
  | 'edit'
  | 'error'
  | 'debug-pause'
  | 'file'
  | 'folder'
  | 'history'
  | 'key'
  | 'law'
  | 'lightbulb'
  | 'link'
  | 'lock'
  | 'pass'
  | 'pin'
  | 'pinned'
  | 'question'
  | 'settings-gear'
  | 'shield'
  | 'sparkle'
  | 'thumbsup'
  | 'warning'
  | 'watch';

/** An icon says nothing by itself: a word always stands beside it, or the control has a label. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}
