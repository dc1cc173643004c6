/** What waiting costs an agent whose prompt cache expires meanwhile. */

/** The latest note of a wait. Times are ISO 8601. */
export interface WaitCost {
  /** When the model was last used before the wait. */
  readonly usedAt: string;
  /** When the waiting call returns at the latest; null where the agent ended its turn. */
  readonly callEndsAt: string | null;
  readonly tokens: number;
  /** Tokens that the next call can read from the cache; null if unknown. */
  readonly cached: number | null;
  readonly cacheSeconds: number | null;
  readonly model: string | null;
}

/** How long the cache of a model lasts where its host does not say. Seconds; null: unknown. */
export type CacheSeconds = (model: string | null) => number | null;

/** Tokens that are paid for again once the cache has expired: all of the context where the host says no number. */
export function atStake({ cached, tokens }: Pick<WaitCost, 'cached' | 'tokens'>): number {
  return cached ?? tokens;
}

/**
 * Until when the agent's cache lasts, as far as known: a call that has returned used the model again. ISO 8601; null if
 * unknown, or if nothing is cached.
 */
export function cacheExpiry(cost: WaitCost, now: string, secondsOf: CacheSeconds): string | null {
  const seconds = cost.cacheSeconds ?? secondsOf(cost.model);
  if (seconds === null || atStake(cost) === 0) return null;
  const { usedAt, callEndsAt } = cost;
  const used = callEndsAt !== null && callEndsAt <= now ? callEndsAt : usedAt;
  return new Date(Date.parse(used) + seconds * 1000).toISOString();
}

/** Null while the agent's cache is unknown. */
export function expiryOf(
  { cost }: { readonly cost: WaitCost | null },
  now: string,
  secondsOf: CacheSeconds,
): string | null {
  return cost && cacheExpiry(cost, now, secondsOf);
}
