/**
 * The time as ISO 8601 text, UTC with milliseconds. Written once for each millisecond, because one act asks several times.
 * @param clock milliseconds since the epoch
 */
export function isoClock(clock: () => number): () => string {
  let latest = NaN;
  let text = '';
  return () => {
    const now = clock();
    if (now !== latest) {
      text = new Date(now).toISOString();
      latest = now;
    }
    return text;
  };
}
