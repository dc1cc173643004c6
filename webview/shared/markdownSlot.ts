import type { OpensFiles } from './formPage.ts';
import type { FileLink, TextKind } from './markdown.ts';
import { renderMarkdown } from './markdown.ts';

interface Rendered {
  readonly text: string;
  readonly node: HTMLElement;
}

/** Rendered texts by place, so that drawing again neither parses nor replaces what is already there. */
const slots = new Map<string, Rendered>();
/** More than a page shows at once; those that were made first go first. */
const maxSlots = 2_000;

/** A Markdown text as one element; links into the workspace go through the host. */
export function markdown(
  page: OpensFiles,
  key: string,
  place: string,
  text: string,
  kind: TextKind = 'message',
): HTMLElement {
  const slot = `${key}\n${place}`;
  const known = slots.get(slot);
  if (known?.text === text) return known.node;
  const node = document.createElement('div');
  node.className = 'markdown';
  node.dir = 'auto';
  const openFile = ({ path, line }: FileLink) => {
    page.wish({ type: 'openFile', key, path, ...(line === undefined ? {} : { line }) });
  };
  node.append(renderMarkdown(text, openFile, kind));
  const [oldest] = slots.keys();
  if (slots.size >= maxSlots && oldest !== undefined) slots.delete(oldest);
  slots.set(slot, { text, node });
  return node;
}
