/**
 * The order by caches: those that expire next come first, then what is lost or unknown, as pressing as before. The reader
 * chooses it for the list of a window, and "Next" follows it.
 */
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { perFolder } from '../kit/perFolder.ts';
import { agentCaches } from '../surface/agentCache.ts';

interface Item {
  readonly folder: OpenFolder;
  readonly question?: { readonly id: string };
  readonly rfc?: { readonly id: string };
}

const chosen = new WeakMap<Folders, Order>();
/** Undefined: the most pressing first. */
type Order = 'cache' | undefined;

export function chooseOrder(folders: Folders, order: Order): void {
  chosen.set(folders, order);
}

/** @param waiting the most pressing first */
export function inChosenOrder<T extends Item>(folders: Folders, waiting: readonly T[]): readonly T[] {
  return chosen.get(folders) === 'cache' ? byCache(waiting) : waiting;
}

/** @param waiting the most pressing first */
export function byCache<T extends Item>(waiting: readonly T[]): T[] {
  const cachesOf = perFolder(agentCaches);
  const expiry = new Map(waiting.map((node) => [node, expiryOf(node)]));
  const rank = (node: T) => expiry.get(node) ?? '~';
  return waiting.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));

  function expiryOf(node: Item): string | null {
    const id = node.question?.id ?? node.rfc?.id;
    const found = id === undefined ? null : cachesOf(node.folder)(id);
    return found && found.expiresAt > node.folder.workspace.now() ? found.expiresAt : null;
  }
}
