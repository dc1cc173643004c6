import type { OpensFiles } from './formPage.ts';
import type { FileLink, TextKind } from './markdown.ts';
import { renderMarkdown } from './markdown.ts';

interface Rendered {
  readonly text: string;
  readonly node: HTMLElement;
}

/** Rendered texts by place, so that redrawing neither parses nor replaces existing ones. */
const slots = new Map<string, Rendered>();
/** More than a page shows at once; the oldest are dropped first. */
const maxSlots = 2_000;

/** A message in Markdown as one element; links into the workspace go through the host. */
export function markdown(page: OpensFiles, key: string, place: string, text: string): HTMLElement {
  return markdownOf(page, { key, place, text, kind: 'message' });
}

interface MarkdownText {
  readonly key: string;
  readonly place: string;
  readonly text: string;
  readonly kind: TextKind;
}

/** The same for a text of any kind. */
export function markdownOf(page: OpensFiles, { key, place, text, kind }: MarkdownText): HTMLElement {
  const slot = `${key}\n${place}`;
  const known = slots.get(slot);
  if (known?.text === text) return known.node;
  const node = document.createElement('div');
  node.className = 'markdown';
  node.dir = 'auto';
  const openFile = ({ path, line }: FileLink) => {
    page.dispatch({ type: 'openFile', key, path, ...(line === undefined ? {} : { line }) });
  };
  const showImage = kind === 'document' && page.showImage ? showing(page.showImage, key) : undefined;
  node.append(renderMarkdown(text, { openFile, showImage }, kind));
  const [oldest] = slots.keys();
  if (slots.size >= maxSlots && oldest !== undefined) slots.delete(oldest);
  slots.set(slot, { text, node });
  return node;
}

function showing(show: NonNullable<OpensFiles['showImage']>, key: string): (path: string) => void {
  return (path) => {
    show({ type: 'showImage', key, path });
  };
}
