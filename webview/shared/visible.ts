/** Shows hidden characters as small marks with their code points. Core defines which ones are hidden. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { hidesSomething, pieces } from '../../src/core/kit/visible.ts';

export { visibleText } from '../../src/core/kit/visible.ts';

/** As a template: hidden characters become small marks. */
export function visible(text: string): string | TemplateResult {
  const parts = pieces(text);
  if (parts.every((part) => part.code === undefined)) return text;
  return html`${parts.map((part) => (part.code === undefined ? part.text : html`<span class="unseen">${part.code}</span>`))}`;
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
