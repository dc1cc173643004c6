import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** The icons in use and their code points in the font. */
const glyphs = {
  add: '\u{ea60}',
  check: '\u{eab2}',
  checklist: '\u{eab3}',
  'circle-filled': '\u{ea71}',
  'circle-outline': '\u{eabc}',
  'circle-slash': '\u{eabd}',
  close: '\u{ea76}',
  comment: '\u{ea6b}',
  'comment-discussion': '\u{eac7}',
  'debug-continue': '\u{eacf}',
  'diff-added': '\u{eadc}',
  'diff-modified': '\u{eade}',
  'diff-removed': '\u{eadf}',
  edit: '\u{ea73}',
  ellipsis: '\u{ea7c}',
  error: '\u{ea87}',
  'debug-pause': '\u{ead1}',
  file: '\u{ea7b}',
  folder: '\u{ea83}',
  history: '\u{ea82}',
  inbox: '\u{eb09}',
  key: '\u{eb11}',
  law: '\u{eb12}',
  lightbulb: '\u{ea61}',
  link: '\u{eb15}',
  'list-unordered': '\u{eb17}',
  lock: '\u{ea75}',
  organization: '\u{ea7e}',
  pass: '\u{eba4}',
  pin: '\u{eb2b}',
  pinned: '\u{eba0}',
  question: '\u{eb32}',
  'settings-gear': '\u{eb51}',
  shield: '\u{eb53}',
  sparkle: '\u{ec10}',
  thumbsup: '\u{eb6c}',
  warning: '\u{ea6c}',
  watch: '\u{eb7c}',
} as const;

export type IconName = keyof typeof glyphs;

export function isIcon(name: string): name is IconName {
  return Object.hasOwn(glyphs, name);
}

/** An icon never appears alone: a word is beside it, or the control has a label. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" data-glyph=${glyphs[name]} aria-hidden="true"></span>`;
}
