import type { Answer } from '../../core/records/records.ts';

/** Choices and text of a human's answer, on one line. */
export function answerLine({ choices, text }: Answer): string {
  return [choices.join(', '), text].filter((part) => part !== undefined && part !== '').join(': ');
}
