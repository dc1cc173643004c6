/**
 * Ranks a row of the full-text index: BM25 with k1 = 1.2 and b = 0.75, the constants of SQLite's FTS5, over the output
 * of FTS4's `matchinfo(…, 'pcnalx')`. Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009).
 */

const k1 = 1.2;
const b = 0.75;

/** Greater is better. @param weights of the columns */
export function bm25(matchinfo: Uint8Array, weights: readonly number[]): number {
  const numbers = new Uint32Array(matchinfo.slice().buffer);
  const at = (index: number) => numbers[index] ?? 0;
  const [phrases, columns, rows] = [at(0), at(1), at(2)];
  const average = (column: number) => at(3 + column);
  const length = (column: number) => at(3 + columns + column);
  const hits = (phrase: number, column: number) => 3 + 2 * columns + 3 * (phrase * columns + column);
  let score = 0;
  for (let phrase = 0; phrase < phrases; phrase++)
    for (let column = 0; column < columns; column++) {
      const here = at(hits(phrase, column));
      if (here === 0) continue;
      const rowsWith = at(hits(phrase, column) + 2);
      // As in FTS5, a word in more than half of all rows still counts a little.
      const rarity = Math.max(1e-6, Math.log((rows - rowsWith + 0.5) / (rowsWith + 0.5)));
      const size = length(column) / Math.max(1, average(column));
      score += (weights[column] ?? 1) * rarity * ((here * (k1 + 1)) / (here + k1 * (1 - b + b * size)));
    }
  return score;
}
