/** From what somebody types to words to look for: nothing in it is an operator, and nothing in it can break a search. */

/** More words than these say nothing more. */
const wordsAtMost = 32;

/** Letters and digits make words; quotes, stars, brackets, hyphens and all other signs only part them. */
export function searchWords(typed: string): string[] {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, wordsAtMost);
}
