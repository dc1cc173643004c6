/** The part of a text that contains the search words, on one line, with the words between `**`. */
import { isUnspaced } from './searchWords.ts';
import { onOneLine } from './text.ts';

const wordsBefore = 6;
const wordsShown = 24;

/** Null without a match. Ignores case and accents, like the search. */
export function snippetOf(text: string, words: readonly string[]): string | null {
  const wanted = words.map((word) => ({ word: folded(word), anywhere: isUnspaced(word) }));
  const isHit = (found: string) =>
    wanted.some(({ word, anywhere }) => (anywhere ? found.includes(word) : found.startsWith(word)));
  const found = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    hit: isHit(folded(match[0])),
  }));
  const first = found.findIndex(({ hit }) => hit);
  if (first < 0) return null;
  const from = Math.max(0, first - wordsBefore);
  const shown = found.slice(from, from + wordsShown);
  const begin = from === 0 ? 0 : (shown[0]?.start ?? 0);
  const end = from + wordsShown >= found.length ? text.length : (shown.at(-1)?.end ?? text.length);
  let marked = begin > 0 ? '…' : '';
  let at = begin;
  for (const word of shown) {
    if (!word.hit) continue;
    marked += `${text.slice(at, word.start)}**${text.slice(word.start, word.end)}**`;
    at = word.end;
  }
  return onOneLine(marked + text.slice(at, end) + (end < text.length ? '…' : ''));
}

function folded(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
