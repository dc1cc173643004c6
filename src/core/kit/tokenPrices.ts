/** What tokens cost this person, by model. Holdpoint knows no prices: people write them, for figures only. */
import * as z from 'zod';
import { limits } from './words.ts';

/** Per million tokens. */
const price = () => z.number().min(0).max(1_000_000).optional();

export const tokenPrices = z.strictObject({
  /** Shown with each sum. */
  currency: z.string().min(1).max(10),
  /** The first one that matches counts. */
  models: z
    .array(
      z.strictObject({
        /** The model's name, or its beginning with a `*` after it. */
        model: z.string().min(1).max(limits.id),
        input: price(),
        cacheRead: price(),
        cacheWrite: price(),
        /** How long the cache lasts after its last use, for hosts that do not say. */
        cacheMinutes: z.number().positive().max(1_440).optional(),
      }),
    )
    .max(200),
});
export type TokenPrices = z.infer<typeof tokenPrices>;
type ModelPrices = TokenPrices['models'][number];

function pricesOf(prices: TokenPrices | null, model: string | null): ModelPrices | undefined {
  return prices?.models.find(({ model: name }) =>
    name.endsWith('*') ? (model ?? '').startsWith(name.slice(0, -1)) : name === model,
  );
}

/** Seconds that the cache of a model lasts; null where the prices do not say. */
export function cacheSecondsIn(prices: TokenPrices | null): (model: string | null) => number | null {
  return (model) => {
    const minutes = pricesOf(prices, model)?.cacheMinutes;
    return minutes === undefined ? null : Math.round(minutes * 60);
  };
}

/**
 * What it costs to send these tokens again instead of reading them from the cache: they are written to the cache, or sent
 * as input where that has no price of its own. Null without prices of this model.
 */
export function lossOf(prices: TokenPrices | null, model: string | null, tokens: number): number | null {
  const { input, cacheRead, cacheWrite = input } = pricesOf(prices, model) ?? {};
  if (cacheRead === undefined || cacheWrite === undefined) return null;
  return (tokens * Math.max(0, cacheWrite - cacheRead)) / 1_000_000;
}
