/** Buttons, links that act, and notices. A button answers a person only: a click made by a script does nothing. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { byHuman } from './trusted.ts';

interface Looks {
  /** Names what it does: `data-act`. */
  readonly act?: string;
  /** More classes. */
  readonly kind?: unknown;
  /** For screen readers, where the words alone are not enough. */
  readonly label?: unknown;
  readonly title?: unknown;
  /** Names it where the keyboard is sent to it: `data-focus`. */
  readonly focus?: string;
  /** Of one that folds and unfolds. */
  readonly expanded?: boolean;
  readonly disabled?: boolean;
}

interface ButtonLooks extends Looks {
  readonly primary?: boolean;
  /** As wide as the form. */
  readonly wide?: boolean;
  /** Looks disabled, and can still be asked why. */
  readonly off?: boolean;
  /** The second half of a double click is not a second thought. */
  readonly once?: boolean;
}

/** Words that act, in the looks of a link. */
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
