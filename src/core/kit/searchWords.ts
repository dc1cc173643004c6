/** Splits typed text into search words. Nothing in it acts as an operator or can break a query. */

/** Further words would not narrow the search. */
const wordsAtMost = 32;

/** Words consist of letters and digits; all other characters separate them. */
export function searchWords(typed: string): string[] {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, wordsAtMost);
}
