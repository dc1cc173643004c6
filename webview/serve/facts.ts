/** What the server wrote into the document about itself. */
import type { PageFacts } from '../../src/ui/kit/view.ts';

export function readFacts(): PageFacts {
  const text = document.querySelector<HTMLMetaElement>('meta[name=holdpoint]')?.content ?? '';
  return JSON.parse(text) as PageFacts;
}
