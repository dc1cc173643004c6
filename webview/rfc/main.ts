/** The review of one RFC: connects host, state and rendering. */
import type { RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../src/ui/rfc/model.ts';
import { byHuman } from '../shared/elements.ts';
import { t } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { watchReading } from './section.ts';
import { createPage, type Page } from './page.ts';
import { review } from './review.ts';
import { parseSaved, type Saved } from '../shared/signing.ts';
import { findQuote, quoteOf } from './threads.ts';
import '../shared/form.css';
import './rfc.css';

// Moves focus to a place or a field, never to a button that decides.

function grantFocus(root: HTMLElement, place: string): void {
  const found = root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(place)}"]`);
  const target = found ?? root.querySelector<HTMLElement>('[data-focus="bar"]');
  target?.focus();
}

// Aligns threads with the quoted words and marks those words, where there is a margin and as far as they fit.

/** Properties that lit sets on each thread with a quotation. */
interface About extends HTMLElement {
  about?: string;
}

const gap = 12;

/** Caches found quotations until the text or the quotation changes. */
const found = new WeakMap<
  HTMLElement,
  { readonly text: Element; readonly quote: string; readonly range: Range | undefined }
>();

function rangeOf(remark: About): Range | undefined {
  const text = remark.closest('.rfc-section')?.querySelector('.rfc-text > .markdown');
  const quote = remark.about ?? '';
  if (!text || quote === '') return undefined;
  const known = found.get(remark);
  if (known?.text === text && known.quote === quote && known.range?.startContainer.isConnected === true)
    return known.range;
  const range = findQuote(text, quote);
  found.set(remark, { text, quote, range });
  return range;
}

function alignThreads(): void {
  const marked: Range[] = [];
  const tops: [About, number][] = [];
  for (const margin of document.querySelectorAll<HTMLElement>('.threads')) {
    const start = margin.getBoundingClientRect().top;
    let bottom = 0;
    for (const remark of margin.children) {
      if (!(remark instanceof HTMLElement)) continue;
      const range = rangeOf(remark);
      if (range) marked.push(range);
      const words = range?.startContainer.parentElement;
      // The code of a diagram may be collapsed.
      const block = words?.closest('.diagram') ?? words;
      const wanted = block ? block.getBoundingClientRect().top - start : 0;
      const top = Math.max(0, Math.round(wanted - bottom));
      if (range) tops.push([remark, top]);
      bottom += (range ? top : 0) + remark.offsetHeight + gap;
    }
  }
  CSS.highlights.set('quoted', new Highlight(...marked));
  const inMargin = matchMedia('(min-width: 1120px)').matches;
  for (const [remark, top] of tops) {
    const margin = inMargin && top > 0 ? `${String(top)}px` : '';
    if (remark.style.marginTop !== margin) remark.style.marginTop = margin;
  }
}

let due = false;

/** Called after rendering, and when the height of a text changes. */
function alignSoon(): void {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    alignThreads();
  });
}

const heights = new ResizeObserver(alignSoon);
const observed = new WeakSet<Element>();

function watchHeights(root: HTMLElement): void {
  for (const text of root.querySelectorAll('.has-threads .rfc-text, .thread')) {
    if (observed.has(text)) continue;
    observed.add(text);
    heights.observe(text);
  }
}

// A button at the selected words, which opens a comment on them.

interface Here {
  /** Whether comments are possible now. */
  readonly isOn: () => boolean;
  readonly open: (section: string, quote: string) => void;
}

function offerComments({ isOn, open }: Here): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'comment-here';
  button.textContent = t('Comment');
  button.hidden = true;
  // By keyboard, each section has a button.
  button.tabIndex = -1;
  document.body.append(button);
  let target = { section: '', quote: '' };

  function place(inside: Element, quote: string, { left, top }: { left: number; top: number }): void {
    const section = inside.closest<HTMLElement>('[data-section]')?.dataset['section'];
    if (section === undefined || quote === '' || !isOn()) return;
    target = { section, quote };
    button.style.left = `${String(Math.max(2, Math.round(left + window.scrollX)))}px`;
    button.style.top = `${String(Math.round(top + window.scrollY))}px`;
    button.hidden = false;
  }

  document.addEventListener('selectionchange', () => {
    button.hidden = true;
    const range = selectedRange();
    if (!range) return;
    const { right, bottom } = range.getBoundingClientRect();
    const inside = range.startContainer.parentElement;
    if (inside) place(inside, quoteOf(range.toString()), { left: right, top: bottom });
  });
  // Keeps the selection during the click.
  button.addEventListener('pointerdown', (event) => {
    event.preventDefault();
  });
  button.addEventListener(
    'click',
    byHuman(() => {
      button.hidden = true;
      document.getSelection()?.removeAllRanges();
      open(target.section, target.quote);
    }),
  );
}

function selectedRange(): Range | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const [start, end] = [range.startContainer, range.endContainer].map((node) =>
    node.parentElement?.closest('.rfc-text > .markdown'),
  );
  return start && start === end ? range : undefined;
}

const narrow = matchMedia('(max-width: 799px)');

/** Focused elements must not be under the bar. */
const barSize = new ResizeObserver(([entry]) => {
  const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
  document.documentElement.style.setProperty('--bar-height', `${Math.ceil(height)}px`);
});
let watched: Element | null = null;

function keepClear(bar: Element | null): void {
  if (bar === watched) return;
  barSize.disconnect();
  if (bar) barSize.observe(bar);
  watched = bar;
}

let redraw: () => void = () => undefined;
const reading = watchReading(() => redraw());
narrow.addEventListener('change', () => {
  redraw();
});

const page = startSurface<RfcSnapshot, RfcMessage, Saved, Page>({
  label: t('Review of an RFC'),
  parse: parseSaved,
  create: (options) => {
    redraw = options.changed;
    return createPage(options);
  },
  content: (opened, { view }) =>
    view.type === 'rfc' ? review(opened, view, narrow.matches) : unavailable(opened, view),
  drawn: (_, root) => {
    reading.observe(root);
    watchHeights(root);
    alignSoon();
    keepClear(root.querySelector('.bar'));
  },
  lost: 'bar',
  focus: grantFocus,
});
offerComments({
  isOn: page.mayComment,
  open: (section, quote) => {
    page.commentAbout(section, quote);
  },
});
page.dispatch({ type: 'ready' });
