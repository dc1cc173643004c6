/** Buttons, links that act, and notices. Buttons react only to people: a scripted click does nothing. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { byHuman } from './trusted.ts';

interface Looks {
  /** The act's name: `data-act`. */
  readonly act?: string;
  /** Additional classes. */
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
  /** As wide as the form. */
  readonly wide?: boolean;
  /** Looks disabled, but a click still explains why. */
  readonly off?: boolean;
  /** Ignores the second click of a double click. */
  readonly once?: boolean;
}

/** A button that looks like a link. */
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

/** The box VS Code puts under an input. */
export function notice(
  kind: 'info' | 'warning' | 'error',
  sign: IconName,
  words: unknown,
  role?: string,
): TemplateResult {
  return html`<p class="notice notice-${kind}" role=${role ?? nothing}>
    ${icon(sign)}<span class="notice-body">${words}</span>
  </p>`;
}
