/** Long texts open as documents: a fold, or a third of a tab, shows too little of them. */
import { nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvidencePart } from '../../src/protocol/question/question.ts';
import { link } from '../shared/buttons.ts';
import { t } from '../shared/strings.ts';
import type { Page } from './page.ts';

/** What a fold shows at the height that the view has in VS Code's default layout. */
const linesAtMost = 8;
const charactersAtMost = 400;

const words = {
  context: 'evidence.context',
  background: 'evidence.background',
  payload: 'evidence.payload',
} as const;

export function asDocument(page: Page, key: string, part: EvidencePart, text: string): TemplateResult | typeof nothing {
  // Background is not in a fold: it unfolds where it stands.
  const room = part === 'background' ? 3 : 1;
  const lines = text.split('\n', linesAtMost * room + 1).length;
  if (text.length <= charactersAtMost * room && lines <= linesAtMost * room) return nothing;
  return link(t(words[part]), () => page.dispatch({ type: 'openEvidence', key, part }), {
    act: `document-${part}`,
    kind: 'as-document',
  });
}
