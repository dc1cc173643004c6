import { visibleText } from '../core/kit/visible.ts';

/** Text by others for a page: as HTML that has no markup, with each hidden character as its code. */
export function escaped(text: string): string {
  return visibleText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
