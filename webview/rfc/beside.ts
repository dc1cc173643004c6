/** Aligns threads with the quoted words and marks those words, where there is a margin and as far as they fit. */
import { findQuote } from './quotes.ts';

/** Properties that lit sets on each thread with a quotation. */
export interface About extends HTMLElement {
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

function align(): void {
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
export function alignSoon(): void {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    align();
  });
}

const heights = new ResizeObserver(alignSoon);
const observed = new WeakSet<Element>();

export function watchHeights(root: HTMLElement): void {
  for (const text of root.querySelectorAll('.has-threads .rfc-text, .thread')) {
    if (observed.has(text)) continue;
    observed.add(text);
    heights.observe(text);
  }
}
