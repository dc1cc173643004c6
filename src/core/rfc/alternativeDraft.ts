/** An alternative under construction by the parser. */
import type { Part } from './labels.ts';

export interface AlternativeDraft {
  readonly name: string;
  readonly description: string[];
  readonly pros: string[];
  readonly cons: string[];
  readonly effort: string[];
}

export const alternativeDraft = (name: string): AlternativeDraft => ({
  name,
  description: [],
  pros: [],
  cons: [],
  effort: [],
});

export function add(to: AlternativeDraft, part: Part, text: string): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  if (part === 'pros' || part === 'cons') to[part].push(...points(trimmed));
  else if (part === 'effort') to.effort.push(trimmed);
  else to.description.push(trimmed);
}

/** Splits `a<br>b; c` into three points. */
export function points(text: string): string[] {
  return text
    .split(/<br ?\/?>|; |\n/i)
    .map((point) => point.replace(/^\s*[-*+•]\s+/, '').trim())
    .filter((point) => point !== '');
}
