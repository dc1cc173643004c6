/** Collapsible parts: those the reader opens deliberately, and long texts cut after some lines. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { link } from './buttons.ts';
import type { Folds } from './formPage.ts';
import { t } from './strings.ts';

/** A collapsible part with a heading; its state is kept over reloads. */
export function part(page: Folds, name: string, heading: unknown, content: unknown): TemplateResult {
  const open = page.isUnfolded(name);
  const toggled = (event: Event): void => {
    const details = event.currentTarget as HTMLDetailsElement;
    if (details.open !== page.isUnfolded(name)) page.unfold(name, details.open);
  };
  return html`<details class="part" ?open=${open} @toggle=${toggled}>
    <summary>${heading}</summary>
    <div class="part-content">${content}</div>
  </details>`;
}

/** Longer lists start collapsed. */
const fewAre = 6;

/** The start of a list, and a link that shows the rest. */
export function few<Item>(page: Folds, name: string, items: readonly Item[]) {
  const part = `${name}.list`;
  const open = page.isUnfolded(part);
  // Shows one more item rather than a link of the same size.
  if (items.length <= fewAre + 1) return { items, more: nothing };
  const more = link(
    open ? t('Show less') : t('and {n} more', { n: items.length - fewAre }),
    () => page.unfold(part, !open),
    { expanded: open },
  );
  return { items: open ? items : items.slice(0, fewAre), more };
}

/** Marks a box whose text is cut off. */
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) mark(target);
});

function mark(box: Element): void {
  const wrapper = box.parentElement;
  if (wrapper && !wrapper.classList.contains('open')) {
    wrapper.classList.toggle('long', box.scrollHeight > box.clientHeight + 4);
  }
}

/** A text that is collapsed after six lines. */
export function clamped(page: Folds, name: string, content: HTMLElement): TemplateResult {
  const part = `${name}.all`;
  const open = page.isUnfolded(part);
  const watch = (box: Element | undefined): void => {
    if (box) sizes.observe(box);
  };
  return html`<div class="clamped ${open ? 'open long' : ''}">
    <div
      class="clamped-text"
      id="clamped-${name}"
      ${ref(watch)}
      @focusin=${({ target }: Event) => {
        // A focused element inside may be cut off, but the start of the text is not.
        if (!open && target !== content) page.unfold(part, true);
      }}
    >
      ${content}
    </div>
    <button
      type="button"
      class="link clamped-more"
      aria-expanded=${open ? 'true' : 'false'}
      aria-controls="clamped-${name}"
      @click=${() => {
        page.unfold(part, !open);
      }}
    >
      ${open ? t('Show less') : t('Show more')}
    </button>
  </div>`;
}
