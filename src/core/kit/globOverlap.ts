/** Whether two hold patterns can hold the same path. Pure, and linear in the product of their lengths: no backtracking. */

/** True unless no path can be held by both. Ignores case, so that it holds on every file system. */
export function globsOverlap(a: string, b: string): boolean {
  const [first, second] = [segmentsOf(a), segmentsOf(b)];
  const seen = new Set<string>();
  const open: [number, number][] = [[0, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [i, j] = pair;
    const [one, other] = [first[i], second[j]];
    // A pattern holds everything below its matches, so the rest of the other always finds a path.
    if (one === undefined || other === undefined) return true;
    const next: [number, number][] = [];
    if (one === '**') next.push([i + 1, j], [i, j + 1]);
    if (other === '**') next.push([i, j + 1], [i + 1, j]);
    if (one !== '**' && other !== '**' && segmentsOverlap(one, other)) next.push([i + 1, j + 1]);
    for (const [x, y] of next) {
      const key = `${String(x)} ${String(y)}`;
      if (!seen.has(key)) open.push([x, y]);
      seen.add(key);
    }
  }
  return false;
}

function segmentsOf(pattern: string): string[] {
  const folded = pattern.normalize('NFC').toLowerCase();
  return folded === '.' ? [] : folded.split('/');
}

/** Whether two segments overlap that have `*` and `?`. */
function segmentsOverlap(a: string, b: string): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [i, j] = pair;
    const [one, other] = [a[i], b[j]];
    if (one === undefined && other === undefined) return true;
    const next: [number, number][] = [];
    if (one === '*') next.push([i + 1, j]);
    if (other === '*') next.push([i, j + 1]);
    if (one === '*' && other !== undefined) next.push([i, j + 1]);
    if (other === '*' && one !== undefined) next.push([i + 1, j]);
    if (one !== undefined && other !== undefined && (one === other || one === '?' || other === '?'))
      next.push([i + 1, j + 1]);
    for (const [x, y] of next) {
      const key = x * (b.length + 1) + y;
      if (!seen.has(key)) open.push([x, y]);
      seen.add(key);
    }
  }
  return false;
}
