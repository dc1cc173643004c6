/** The order by caches: those that expire next come first, then what is lost or unknown, as pressing as before. */
import { agentCache, cacheSecondsFor } from '../surface/agentCache.ts';
import type { OpenFolder } from '../kit/folders.ts';
import type { CacheSeconds } from '../../core/state/waitCost.ts';

interface Item {
  readonly folder: OpenFolder;
  /** None for other items, whose cost is unknown. */
  readonly question?: { readonly id: string };
}

/** @param waiting the most pressing first */
export function byCache<T extends Item>(waiting: readonly T[]): T[] {
  const seconds = new Map<OpenFolder, CacheSeconds>();
  const expiry = new Map(waiting.map((node) => [node, expiryOf(node)]));
  const rank = (node: T) => expiry.get(node) ?? '~';
  return waiting.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));

  function expiryOf(node: Item): string | null {
    if (!node.question) return null;
    const secondsOf = seconds.get(node.folder) ?? cacheSecondsFor(node.folder);
    seconds.set(node.folder, secondsOf);
    const found = agentCache(node.folder, node.question.id, secondsOf);
    return found && found.expiresAt > node.folder.workspace.now() ? found.expiresAt : null;
  }
}
