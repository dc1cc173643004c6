/** Until when the prompt cache of a waiting agent lasts, as far as its host or this person's prices say. */
import { readPrices } from '../../app/waiting/tokenPrices.ts';
import { isAwaited } from '../../core/fold/waitNote.ts';
import { cacheSecondsIn } from '../../core/kit/tokenPrices.ts';
import { expiryOf } from '../../core/state/waitCost.ts';
import type { CacheSeconds } from '../../core/state/waitCost.ts';
import type { OpenFolder } from '../kit/folders.ts';

export interface AgentCache {
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Of the whole context. */
  readonly tokens: number;
}

type Place = Pick<OpenFolder, 'workspace'>;

export function cacheSecondsFor({ workspace }: Place): CacheSeconds {
  return cacheSecondsIn(readPrices(workspace).prices);
}

/** Null while it is unknown, and once the question or RFC is decided. */
export function agentCache(place: Place, id: string): AgentCache | null {
  return agentCaches(place)(id);
}

/** The same for callers with many questions: it reads the store and the prices once. */
export function agentCaches(place: Place): (id: string) => AgentCache | null {
  const { workspace } = place;
  const { state } = workspace.standing();
  const now = workspace.now();
  const secondsOf = cacheSecondsFor(place);
  return (id) => {
    const item = state?.questions.get(id) ?? state?.rfcs.get(id);
    if (!state || !item?.cost || !isAwaited(state, id)) return null;
    const expiresAt = expiryOf(item, now, secondsOf);
    return expiresAt === null ? null : { expiresAt, tokens: item.cost.tokens };
  };
}
