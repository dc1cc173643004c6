/** Splits typed text into search words. Nothing in it acts as an operator or can break a query. */

/** Further words would not narrow the search. */
const wordsAtMost = 32;

/** Scripts without spaces between words: what is searched for may stand anywhere in a run of letters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

/** Whether a `*` stands anywhere but at the end of a word, where it says what is so anyway: words match as beginnings. */
export function hasOddStar(typed: string): boolean {
  return /(?<![\p{L}\p{N}\p{M}])\*|\*(?=\S)/u.test(typed);
}

/** Words consist of letters and digits; all other characters separate them. */
export function searchWords(typed: string): string[] {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, wordsAtMost);
}
