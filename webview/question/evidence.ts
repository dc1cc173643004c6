/** Long texts open as documents, because a collapsible part or a third of a tab shows too little of them. */
import { nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvidencePart } from '../../src/core/question/evidence.ts';
import { link } from '../shared/buttons.ts';
import { t } from '../shared/strings.ts';
import type { Page } from './page.ts';

/** The part of a text that is visible at the view's height in VS Code's default layout. */
const linesAtMost = 8;
const charactersAtMost = 400;

const words = {
  context: t('Open context as a document'),
  background: t('Open background as a document'),
  payload: t('Open payload as a document'),
} as const;

export function asDocument(page: Page, key: string, part: EvidencePart, text: string): TemplateResult | typeof nothing {
  // The background is not in a collapsible part: it expands in place.
  const room = part === 'background' ? 3 : 1;
  const lines = text.split('\n', linesAtMost * room + 1).length;
  if (text.length <= charactersAtMost * room && lines <= linesAtMost * room) return nothing;
  return link(words[part], () => page.dispatch({ type: 'openEvidence', key, part }), {
    act: `document-${part}`,
    kind: 'as-document',
  });
}
