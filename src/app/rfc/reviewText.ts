/** What a reviewer is sent: the document and its questions as text. Both are data for the model, never instructions. */
import { parsePrompt, type Prompt } from '../../core/kit/prompt.ts';
import { withAlternatives } from '../../core/rfc/document.ts';
import type { RfcDocument } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';

export interface ReviewPrompts {
  readonly review: Prompt;
  readonly followUp: Prompt;
  readonly repair: Prompt;
}

/** @param read the text of a file in `media/prompts` */
export function reviewPrompts(read: (file: string) => string): ReviewPrompts {
  return {
    review: parsePrompt(read('rfc-review.md')),
    followUp: parsePrompt(read('rfc-review-followup.md')),
    repair: parsePrompt(read('rfc-review-repair.md')),
  };
}

/** The whole document, as Markdown. */
export function documentText({ title, sections, alternatives }: RfcDocument): string {
  const written = sections.some(({ key }) => key === 'alternatives');
  return [
    `# ${title}`,
    ...sections.map(({ heading, text }) => `## ${heading}\n\n${text}`),
    ...(written || alternatives.length === 0 ? [] : ['## Alternatives', withAlternatives('', alternatives)]),
  ].join('\n\n');
}

/** Questions are the author's words too: each on one line, so that none can pose as another. */
export function questionList(rfc: Rfc, numbers: readonly number[]): string {
  if (numbers.length === 0) return '(none)';
  return numbers
    .map((number) => `${String(number)}. ${JSON.stringify(rfc.questions[number - 1]?.text ?? '')}`)
    .join('\n');
}
