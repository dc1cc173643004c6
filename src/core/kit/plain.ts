/** Markdown as one reads it in a list: its words, without markup. */
import { firstLine } from './text.ts';

const fence = /^\s*(?:```|~~~)[^\n]*\n/;
const link = /!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/g;
const blockMarks = /^(?:\s*(?:#{1,6}\s|>|[-+*]\s))*\s*/;
const code = /`([^`\n]+)`/;
const strong = /\*\*|__|~~/g;
const emphasis = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,200})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/** Unchanged if nothing else is left. */
export function plainText(text: string): string {
  const words = text
    .replace(fence, '')
    .replace(link, '$1')
    .replace(blockMarks, '')
    .split(code)
    .map((part, index) => (index % 2 === 0 ? part.replace(strong, '').replace(emphasis, '$2') : part))
    .join('')
    .trim();
  return words === '' ? text.trim() : words;
}

/** One line without markup. The editor cuts it where its row ends. */
export function rowLabel(text: string): string {
  return firstLine(plainText(text), 200);
}
