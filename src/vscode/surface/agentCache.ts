/** Until when the prompt cache of a waiting agent lasts, as far as its host or this person's prices say. */
import { readPrices } from '../../app/waiting/tokenPrices.ts';
import { cacheSecondsIn } from '../../core/kit/tokenPrices.ts';
import { expiryOf } from '../../core/state/waitCost.ts';
import type { CacheSeconds } from '../../core/state/waitCost.ts';
import { isWaiting } from '../../core/state/state.ts';
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

/**
 * Null while it is unknown, and once the question is decided.
 * @param secondsOf `cacheSecondsFor` the folder, for callers with many questions
 */
export function agentCache(place: Place, id: string, secondsOf?: CacheSeconds): AgentCache | null {
  const { workspace } = place;
  const question = workspace.standing().state?.questions.get(id);
  if (!question?.cost || !isWaiting(question)) return null;
  const expiresAt = expiryOf(question, workspace.now(), secondsOf ?? cacheSecondsFor(place));
  return expiresAt === null ? null : { expiresAt, tokens: question.cost.tokens };
}
