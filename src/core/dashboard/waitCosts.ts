/** What waiting for humans cost: caches that expired meanwhile, and the tokens that were paid for again. */
import { lossOf, cacheSecondsIn } from '../kit/tokenPrices.ts';
import type { TokenPrices } from '../kit/tokenPrices.ts';
import { questionType } from '../kit/words.ts';
import type { QuestionType } from '../kit/words.ts';
import type { State } from '../state/state.ts';
import { atStake } from '../state/waitCost.ts';
import { between } from './figures.ts';
import { decisionAfter, rfcWait } from './rfcWait.ts';

/** One call in which an agent waited; lists of them are in the order of the journal. Times are ISO 8601. */
export interface NotedWait {
  readonly agent_id: string;
  readonly session: string;
  /** The most pressing first. */
  readonly items: readonly string[];
  readonly used_at: string;
  /** When the call returned at the latest; null where the agent ended its turn. */
  readonly call_ends_at: string | null;
  readonly tokens: number;
  readonly cached: number | null;
  readonly cache_seconds: number | null;
  readonly model: string | null;
}

export interface WaitCosts {
  readonly expired_caches: number;
  /** Tokens that were cached when the agent began to wait, and no longer when it went on. */
  readonly tokens_lost: number;
  /** Of the lost tokens whose model has a price; null if none has. */
  readonly price: number | null;
  /** Lost tokens of models without a price. */
  readonly tokens_without_price: number;
  /** Waits of which it is not known how long the cache lasted. */
  readonly unknown_caches: number;
  /** Questions and RFCs that stopped the agent, of which no wait was noted. */
  readonly unknown_items: number;
}

export interface TypeCosts extends WaitCosts {
  readonly type: QuestionType | 'rfc';
  /** Time in which agents were stopped for these; several at the same time count each. */
  readonly waited_ms: number;
}

export const noCosts: WaitCosts = {
  ...{ expired_caches: 0, tokens_lost: 0, price: null, tokens_without_price: 0 },
  ...{ unknown_caches: 0, unknown_items: 0 },
};

export interface CostOptions {
  readonly waits: readonly NotedWait[];
  readonly prices: TokenPrices | null;
  /** ISO 8601. */
  readonly now: string;
}

export interface CostsBy {
  readonly agents: ReadonlyMap<string, WaitCosts>;
  /** Types of which questions were asked, in the order of the list of types, then RFCs. */
  readonly types: readonly TypeCosts[];
}

/** A wait for several questions and RFCs counts for the type of the first. */
export function waitCosts(state: State, options: CostOptions): CostsBy {
  const agents = new Map<string, WaitCosts>();
  const types = new Map<string, WaitCosts>();
  const typeOf = (id: string) => state.questions.get(id)?.facts.type ?? (state.rfcs.has(id) ? 'rfc' : undefined);
  const count = (id: string, agent: string, cost: WaitCosts) => {
    agents.set(agent, sum(agents.get(agent) ?? noCosts, cost));
    const type = typeOf(id);
    if (type !== undefined) types.set(type, sum(types.get(type) ?? noCosts, cost));
  };
  for (const [wait, end] of ended(state, options))
    count(wait.items[0] ?? '', wait.agent_id, costOf(wait, end, options.prices));
  const noted = new Set(options.waits.flatMap(({ items }) => items));
  const stopping = stopped(state);
  for (const { id, agent } of stopping) if (!noted.has(id)) count(id, agent, { ...noCosts, unknown_items: 1 });
  const waitedFor = (type: TypeCosts['type']) =>
    stopping
      .filter(({ id }) => typeOf(id) === type)
      .reduce((ms, { since, until }) => ms + between(since, until ?? options.now), 0);
  return {
    agents,
    types: ([...questionType.options, 'rfc'] as const).flatMap((type) => {
      const cost = types.get(type);
      return cost ? [{ type, waited_ms: waitedFor(type), ...cost }] : [];
    }),
  };
}

/** What stopped an agent, for how long. Times are ISO 8601. */
interface Stop {
  readonly id: string;
  readonly agent: string;
  readonly since: string;
  /** Null while it waits for a human. */
  readonly until: string | null;
}

function stopped({ questions, rfcs }: State): Stop[] {
  const asked = [...questions.values()].flatMap(({ id, mode, asker, raisedAt, resolution }): Stop[] =>
    mode === 'sync' ? [{ id, agent: asker.id, since: raisedAt, until: resolution?.at ?? null }] : [],
  );
  const proposed = [...rfcs.values()].flatMap((rfc): Stop[] => {
    const wait = rfcWait(rfc);
    return wait ? [{ id: rfc.id, agent: rfc.asker.id, ...wait }] : [];
  });
  return [...asked, ...proposed];
}

/**
 * Each wait with its end: the session's next wait, the first decision on one of its questions and RFCs, or the time at which the
 * call returned.
 */
function ended(state: State, { waits, now }: CostOptions): [NotedWait, string][] {
  const next = new Map<string, string>();
  return waits
    .toReversed()
    .toSorted(latestFirst)
    .map((wait): [NotedWait, string] => {
      const session = `${wait.agent_id} ${wait.session}`;
      const decided = wait.items.flatMap((id) => {
        const rfc = state.rfcs.get(id);
        return state.questions.get(id)?.resolution?.at ?? (rfc && decisionAfter(rfc, wait.used_at)) ?? [];
      });
      const ends = [next.get(session), wait.call_ends_at, ...decided, now];
      next.set(session, wait.used_at);
      return [wait, ends.reduce<string>((first, end) => (end != null && end < first ? end : first), now)];
    });
}

function latestFirst(a: NotedWait, b: NotedWait): number {
  return a.used_at < b.used_at ? 1 : a.used_at > b.used_at ? -1 : 0;
}

function costOf(wait: NotedWait, end: string, prices: TokenPrices | null): WaitCosts {
  const seconds = wait.cache_seconds ?? cacheSecondsIn(prices)(wait.model);
  const tokens = atStake(wait);
  if (seconds === null) return { ...noCosts, unknown_caches: 1 };
  if (tokens === 0 || between(wait.used_at, end) <= seconds * 1000) return noCosts;
  const price = lossOf(prices, wait.model, tokens);
  return {
    ...noCosts,
    expired_caches: 1,
    tokens_lost: tokens,
    price,
    tokens_without_price: price === null ? tokens : 0,
  };
}

function sum(a: WaitCosts, b: WaitCosts): WaitCosts {
  return {
    expired_caches: a.expired_caches + b.expired_caches,
    tokens_lost: a.tokens_lost + b.tokens_lost,
    price: a.price === null ? b.price : a.price + (b.price ?? 0),
    tokens_without_price: a.tokens_without_price + b.tokens_without_price,
    unknown_caches: a.unknown_caches + b.unknown_caches,
    unknown_items: a.unknown_items + b.unknown_items,
  };
}
