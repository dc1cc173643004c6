/** How often something may happen: a bucket of tokens for each key, filled evenly. */
export interface LimitOptions {
  readonly burst: number;
  readonly perMinute: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** More keys than this are never kept: an attacker must not fill the memory. */
const keysAtMost = 10_000;

/** @returns whether it may happen once more now */
export function createLimit({ burst, perMinute, clock }: LimitOptions): (key: string) => boolean {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return (key) => {
    const now = clock();
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + ((now - at) * perMinute) / 60_000);
    const may = filled >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: may ? filled - 1 : filled, at: now });
    const [oldest] = buckets.keys();
    if (buckets.size > keysAtMost && oldest !== undefined) buckets.delete(oldest);
    return may;
  };
}
