/** Small parts of all pages: buttons for people only, icons, notices, hidden characters, marks. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { hidesSomething, pieces, visibleText } from '../../src/core/kit/visible.ts';
import type { ReleaseAllView } from '../../src/ui/answer/workspace.ts';
import type { Imported } from '../../src/ui/kit/view.ts';
import { t } from './strings.ts';

/**
 * A handler that only a person can trigger: scripted events are not `isTrusted`.
 * Everything that decides goes through here; so does everything else that is cheap to guard.
 */
export function byHuman<E extends Event>(handler: (event: E) => void): (event: E) => void {
  return (event) => {
    if (event.isTrusted) handler(event);
  };
}

/** A phone has no keys that a hint could name. */
export const isTouchScreen = matchMedia('(pointer: coarse)').matches;

// Shows hidden characters as small marks with their code points. Core defines which ones are hidden.

export { visibleText };

/** As a template: hidden characters become small marks. */
export function visible(text: string): string | TemplateResult {
  const parts = pieces(text);
  if (parts.every((part) => part.code === undefined)) return text;
  return html`${parts.map((part) => (part.code === undefined ? part.text : html`<span class="unseen">${part.code}</span>`))}`;
}

/** A text of somebody else, which may be written from right to left. */
export function bdi(text: string): TemplateResult {
  return html`<bdi>${visible(text)}</bdi>`;
}

/** A path or a pattern, from left to right in every language. */
export function codeOf(text: string): TemplateResult {
  return html`<code dir="ltr">${visible(text)}</code>`;
}

/** In a tree of nodes, in place. */
export function markHidden(root: Node, document: Document): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && hidesSomething(node.data)) found.push(node);
  }
  for (const node of found) {
    const parts = pieces(node.data);
    node.replaceWith(
      ...parts.map((part) => {
        if (part.code === undefined) return part.text;
        const mark = document.createElement('span');
        mark.className = 'unseen';
        mark.textContent = part.code;
        return mark;
      }),
    );
  }
}

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

/** An icon never appears alone: a word is next to it, or the control has a label. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" data-glyph=${glyphs[name]} aria-hidden="true"></span>`;
}

// Buttons, links that act, and notices. Buttons react only to people: a scripted click does nothing.

interface Looks {
  /** The act's name: `data-act`. */
  readonly act?: string;
  readonly kind?: unknown;
  /** For screen readers, if the visible text is not enough. */
  readonly label?: unknown;
  readonly title?: unknown;
  /** The name for moving focus to it: `data-focus`. */
  readonly focus?: string;
  /** For buttons that expand and collapse something. */
  readonly expanded?: boolean;
  readonly disabled?: boolean;
}

interface ButtonLooks extends Looks {
  readonly primary?: boolean;
  readonly wide?: boolean;
  /** Looks disabled, but a click still explains why. */
  readonly off?: boolean;
  /** Ignores the second click of a double click. */
  readonly once?: boolean;
}

export function link(words: unknown, click: () => void, looks: Looks = {}): TemplateResult {
  const { act, kind = '', label, title, focus, expanded, disabled = false } = looks;
  return html`<button
    type="button"
    class="link ${kind}"
    data-act=${act ?? nothing}
    data-focus=${focus ?? nothing}
    aria-label=${label ?? nothing}
    aria-expanded=${expanded ?? nothing}
    title=${title ?? nothing}
    ?disabled=${disabled}
    @click=${byHuman(click)}
  >
    ${words}
  </button>`;
}

export function button(words: unknown, click: () => void, looks: ButtonLooks = {}): TemplateResult {
  const { act, kind = '', label, title, focus, expanded, disabled = false } = looks;
  const { primary = false, wide = false, off = false, once = false } = looks;
  return html`<vscode-button
    class="${wide ? 'wide' : ''} ${off ? 'off' : ''} ${kind}"
    appearance=${primary ? 'primary' : 'secondary'}
    data-act=${act ?? nothing}
    data-focus=${focus ?? nothing}
    aria-label=${label ?? nothing}
    aria-expanded=${expanded ?? nothing}
    aria-disabled=${off ? 'true' : nothing}
    title=${title ?? nothing}
    ?disabled=${disabled}
    @click=${byHuman((event: MouseEvent) => {
      if (!once || event.detail < 2) click();
    })}
    >${words}</vscode-button
  >`;
}

interface MenuItem {
  readonly words: string;
  readonly act: string;
  readonly kind?: string;
  readonly run: () => void;
}

/** A button that opens rare acts, as the editor's own menus. The browser closes it on Escape and on a click elsewhere. */
export function menu(
  opener: { readonly label: string; readonly words: unknown; readonly kind: string },
  items: readonly MenuItem[],
): TemplateResult {
  const close = () => {
    document.querySelector<HTMLElement>('#more-menu')?.hidePopover();
  };
  /** Above its button, where bars at the lower edge have room. */
  const place = ({ currentTarget: menu }: Event) => {
    const button = document.querySelector('[data-act=more]')?.getBoundingClientRect();
    if (!button || !(menu instanceof HTMLElement)) return;
    const { innerHeight: height } = window;
    const isLow = button.top > height / 2;
    menu.style.inset = 'auto';
    menu.style[isLow ? 'bottom' : 'top'] = `${String(2 + (isLow ? height - button.top : button.bottom))}px`;
    menu.style.insetInlineEnd = `${String(Math.max(8, document.documentElement.clientWidth - button.right))}px`;
  };
  return html`<button
      type="button"
      class=${opener.kind}
      popovertarget="more-menu"
      data-act="more"
      data-focus="more"
      title=${opener.label}
      aria-label=${opener.label}
    >
      ${opener.words}
    </button>
    <div class="more-menu" id="more-menu" popover @beforetoggle=${place}>
      ${items.map(({ words, run, act, kind = '' }) =>
        link(
          words,
          () => {
            close();
            run();
          },
          { kind: `more-item ${kind}`, act },
        ),
      )}
    </div>`;
}

interface LineLooks {
  /** An additional class. */
  readonly kind?: string;
  /** Its name for the page's other parts: `data-part`. */
  readonly part?: string;
  readonly id?: string;
}

/** An icon, and text of any number of lines. */
export function line(sign: TemplateResult, words: unknown, { kind = '', part, id }: LineLooks = {}): TemplateResult {
  return html`<p class="iconed ${kind}" id=${id ?? nothing} data-part=${part ?? nothing}>
    ${sign}<span>${words}</span>
  </p>`;
}

interface NoticeLooks {
  readonly role?: 'alert' | 'status';
  /** Its name among the page's notices: `data-note`. */
  readonly note?: string;
  /** The name for moving focus to it. */
  readonly focus?: string;
}

/** The box VS Code puts under an input. */
export function notice(
  kind: 'info' | 'warning' | 'error',
  sign: IconName,
  words: unknown,
  { role, note, focus }: NoticeLooks = {},
): TemplateResult {
  return html`<p
    class="notice notice-${kind}"
    role=${role ?? nothing}
    data-note=${note ?? nothing}
    data-focus=${focus ?? nothing}
    tabindex=${focus === undefined ? nothing : '-1'}
  >
    ${icon(sign)}<span class="notice-body">${words}</span>
  </p>`;
}

/** A list with bullets. */
export function bullets(items: readonly unknown[], kind = ''): TemplateResult {
  return html`<ul class="list ${kind}">
    ${items.map((item) => html`<li dir="auto">${item}</li>`)}
  </ul>`;
}

interface Picker {
  readonly name: string;
  readonly label: string;
  /** The label is only read aloud. */
  readonly isLabelHidden?: boolean;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly pick: (value: string) => void;
  /** Only a person can change it. */
  readonly guarded?: true;
}

/** One of several, picked from the editor's own kind of list. It changes what is shown, and decides nothing. */
export function picker({ name, label, isLabelHidden = false, options, value, pick, guarded }: Picker): TemplateResult {
  const change = ({ currentTarget }: Event) => {
    pick((currentTarget as HTMLSelectElement).value);
  };
  const changed = guarded ? byHuman(change) : change;
  return html`<span class="picker">
    <label class=${isLabelHidden ? 'sr-only' : 'quiet'} for=${name}>${label}</label>
    <select id=${name} data-act=${name} @change=${changed}>
      ${options.map(([one, words]) => html`<option value=${one} .selected=${live(one === value)}>${words}</option>`)}
    </select>
  </span>`;
}

/** In place of a list without rows. */
export function emptyState(title: string, more?: string): TemplateResult {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    ${more === undefined ? nothing : html`<p class="quiet">${more}</p>`}
  </div>`;
}

export const urgencyWords: Record<Urgency, string> = {
  low: t('low'),
  medium: t('medium'),
  high: t('high'),
  critical: t('critical'),
};

type Urgency = ReleaseAllView['questions'][number]['urgency'];

/** Never by colour alone: each urgency has its own shape and word. */
const urgencyIcon: Record<Urgency, IconName> = {
  critical: 'error',
  high: 'warning',
  medium: 'circle-filled',
  low: 'circle-outline',
};

export function urgencyMark(urgency: Urgency): TemplateResult {
  return html`<span class="urgency urgency-${urgency}">${icon(urgencyIcon[urgency])}${urgencyWords[urgency]}</span>`;
}

const sources = {
  codeframe: t('imported from CodeFrame, not verified'),
  engram: t('imported from Engram, not verified'),
  markdown: t('imported from Markdown, not verified'),
  json: t('imported from an export, not verified'),
};

/** "imported from an export, not verified" */
export function importedMark({ from, source, ref }: Imported): TemplateResult {
  const title = t('{file}: {id}', { file: visibleText(source), id: visibleText(ref) });
  return html`<span class="imported" title=${title}><span class="cut ellipsis">${sources[from]}</span></span>`;
}

// An answer as it was or will be sent.

export function labelledText(labels: readonly string[], text: string): TemplateResult {
  return html`<blockquote class="said" dir="auto">
    ${labels.map((label) => html`<p class="said-choice">${visible(label)}</p>`)}
    ${text === '' ? nothing : html`<p class="said-text">${visible(text)}</p>`}
  </blockquote>`;
}

// Selects one of the window's folders, if there are several.

interface ChoosesFolder {
  readonly dispatch: (message: { readonly type: 'folder'; readonly key: string }) => void;
}

interface Folders {
  readonly folders: readonly { readonly key: string; readonly name: string }[];
  /** The key of the displayed folder. */
  readonly folder: string;
}

export function folderPicker(page: ChoosesFolder, { folders, folder }: Folders): TemplateResult | typeof nothing {
  if (folders.length < 2) return nothing;
  return picker({
    ...{ name: 'folder', label: t('Folder'), value: folder },
    options: folders.map(({ key, name }) => [key, visibleText(name)]),
    pick: (key) => page.dispatch({ type: 'folder', key }),
  });
}
