/** Whether everything that one hold pattern can hold is held by another. Pure; no backtracking. */

/**
 * True only if `wide` holds each path that `narrow` can hold, on every file system. False where that is not plain: a
 * human decides then.
 */
export function globCovers(wide: string, narrow: string): boolean {
  const wanted = segmentsOf(wide);
  // reached[i]: the first i segments of `wide` can end before the current segment of `narrow`
  let reached = new Set([0]);
  for (const segment of segmentsOf(narrow)) {
    skipStars(wanted, reached);
    if (reached.has(wanted.length)) return true;
    const next = new Set<number>();
    for (const at of reached) {
      const want = wanted[at];
      if (want === '**') next.add(at);
      else if (want !== undefined && segment !== '**' && segmentCovers(want, segment)) next.add(at + 1);
    }
    reached = next;
  }
  skipStars(wanted, reached);
  return reached.has(wanted.length);
}

function segmentsOf(pattern: string): string[] {
  return pattern.normalize('NFC').split('/');
}

function skipStars(wanted: readonly string[], reached: Set<number>): void {
  for (const at of reached) if (wanted[at] === '**') reached.add(at + 1);
}

/** Each character of `narrow`, its wildcards too, is covered by the same or by a `*`; a `?` covers one character. */
function segmentCovers(wide: string, narrow: string): boolean {
  let reached = new Set([0]);
  for (const sign of narrow) {
    skipStar(wide, reached);
    const next = new Set<number>();
    for (const at of reached) {
      const want = wide[at];
      if (want === '*') next.add(at);
      else if (want === sign || (want === '?' && sign !== '*')) next.add(at + 1);
    }
    reached = next;
  }
  skipStar(wide, reached);
  return reached.has(wide.length);
}

function skipStar(wide: string, reached: Set<number>): void {
  for (const at of reached) if (wide[at] === '*') reached.add(at + 1);
}
