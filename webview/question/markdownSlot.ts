import type { FileLink } from '../shared/markdown.ts';
import { renderMarkdown } from '../shared/markdown.ts';
import type { Page } from './page.ts';

interface Rendered {
  readonly text: string;
  readonly node: HTMLElement;
}

/** Rendered texts by place, so that drawing again neither parses nor replaces what is already there. */
const slots = new Map<string, Rendered>();
const maxSlots = 200;

/** A Markdown text as one element; links into the workspace go through the host. */
export function markdown(page: Page, key: string, place: string, text: string): HTMLElement {
  const slot = `${key}\n${place}`;
  const known = slots.get(slot);
  if (known?.text === text) return known.node;
  const node = document.createElement('div');
  node.className = 'markdown';
  node.dir = 'auto';
  node.append(
    renderMarkdown(text, ({ path, line }: FileLink) => {
      page.wish({ type: 'openFile', key, path, ...(line === undefined ? {} : { line }) });
    }),
  );
  if (slots.size >= maxSlots) slots.clear();
  slots.set(slot, { text, node });
  return node;
}
