/** The table of contents, with a mark at each section that needs attention. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RfcView, Section } from '../../src/ui/rfc/model.ts';
import { icon, visible, type IconName } from '../shared/elements.ts';
import { t, tn } from '../shared/strings.ts';
import type { Page } from './page.ts';
import { sectionText } from './threads.ts';

// Tracks the section at the top of the window, for the contents.

let current = '';

function isCurrent(section: string): boolean {
  return section === current;
}

/** Calls back when another section reaches the top. */
export function watchReading(changed: () => void): { observe: (root: HTMLElement) => void } {
  const seen = new Set<Element>();
  const look = (): void => {
    let found = '';
    for (const element of seen) {
      if (!element.isConnected) {
        seen.delete(element);
        observer.unobserve(element);
      } else if (found === '' || element.getBoundingClientRect().top <= topMost) {
        found = (element as HTMLElement).dataset['section'] ?? '';
      }
    }
    if (found === current) return;
    current = found;
    changed();
  };
  const observer = new IntersectionObserver(look, { rootMargin: `-${topMost}px 0px -60% 0px`, threshold: [0, 1] });
  return {
    observe: (root) => {
      for (const element of root.querySelectorAll('[data-section]')) {
        if (seen.has(element)) continue;
        seen.add(element);
        observer.observe(element);
      }
    },
  };
}

/** A section that starts above this line is the current one. */
const topMost = 80;

// Headings within sections, for the contents: all in a short document, the current section's in a long one.

const short = 40;
const atMost = 100;

function headingsOf(page: Page, view: RfcView): ReadonlyMap<string, readonly HTMLElement[]> {
  const all = new Map(view.sections.map((one) => [one.id, inText(page, view, one)]));
  const count = [...all.values()].reduce((sum, { length }) => sum + length, 0);
  if (count <= short) return all;
  return new Map([...all].map(([id, headings]) => [id, isCurrent(id) ? headings.slice(0, atMost) : []]));
}

/** A comparison shows lines, without headings. */
function inText(page: Page, view: RfcView, section: Section): HTMLElement[] {
  if (view.compared !== undefined || (section.text ?? '') === '') return [];
  return [...sectionText(page, view.key, section).querySelectorAll('h3')];
}

export const changeMarks = {
  changed: { icon: 'diff-modified', mark: t('Changed'), words: t('changed since your last review') },
  new: { icon: 'diff-added', mark: t('New'), words: t('new since your last review') },
  gone: { icon: 'diff-removed', mark: t('Removed'), words: t('no longer in this revision') },
} as const satisfies Record<Exclude<Section['change'], 'none'>, { icon: IconName; mark: string; words: string }>;

/** The element of a section; its id comes from the document's author. */
function sectionElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-section="${CSS.escape(id)}"]`);
}

function goTo(id: string): void {
  const found = sectionElement(id);
  found?.scrollIntoView({ block: 'start' });
  found?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

export function contents(page: Page, view: RfcView, narrow: boolean): TemplateResult {
  const headings = headingsOf(page, view);
  const list = html`<ol class="contents-list">
    ${view.sections.map((one) => html`${entry(one)} ${headings.get(one.id)?.map(innerContent)}`)}
  </ol>`;
  if (!narrow) return html`<nav class="contents" aria-label=${t('Contents')}>${list}</nav>`;
  const open = page.isUnfolded('contents');
  return html`<nav class="contents" aria-label=${t('Contents')}>
    <details
      ?open=${open}
      @toggle=${(event: Event) => {
        const details = event.currentTarget as HTMLDetailsElement;
        if (details.open !== page.isUnfolded('contents')) page.unfold('contents', details.open);
      }}
    >
      <summary>${t('Contents')}</summary>
      ${list}
    </details>
  </nav>`;
}

function entry(section: Section): TemplateResult {
  const { id, title, change } = section;
  const open = section.threads.filter(({ resolved }) => !resolved);
  const blocking = open.some((one) => one.blocking);
  const forYou = section.questions.filter(({ state }) => state === 'human_required').length;
  return html`<li>
    <button
      type="button"
      class="contents-entry iconed row-button"
      aria-current=${isCurrent(id) ? 'true' : nothing}
      @click=${() => {
        goTo(id);
      }}
    >
      <span class="contents-title" dir="auto">${visible(title)}</span>
      ${change === 'none' ? nothing : mark(changeMarks[change].icon, changeMarks[change].words)}
      ${forYou === 0 ? nothing : mark('question', tn(forYou, '{n} question for you', '{n} questions for you'), forYou, 'warning')}
      ${
        open.length === 0
          ? nothing
          : mark(
              'comment',
              tn(open.length, '{n} open thread', '{n} open threads'),
              open.length,
              blocking ? 'warning' : '',
            )
      }
    </button>
  </li>`;
}

function innerContent(heading: HTMLElement): TemplateResult {
  const go = () => {
    heading.scrollIntoView({ block: 'start' });
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  return html`<li>
    <button type="button" class="contents-entry contents-inner iconed row-button" @click=${go}>
      <span class="contents-title" dir="auto">${heading.textContent}</span>
    </button>
  </li>`;
}

function mark(name: IconName, words: string, count?: number, extra = ''): TemplateResult {
  return html`<span class="contents-mark ${extra}" title=${words}
    >${icon(name, 'inline')}${count === undefined ? nothing : html`<span aria-hidden="true">${count}</span>`}<span
      class="sr-only"
      >${words}</span
    ></span
  >`;
}
