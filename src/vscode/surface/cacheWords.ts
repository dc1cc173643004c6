/** Until when an agent's cache lasts, in its row and its tooltip. */
import * as vscode from 'vscode';
import { agentCache } from './agentCache.ts';
import type { OpenFolder } from '../kit/folders.ts';

interface CacheWords {
  readonly short: readonly string[];
  readonly long: readonly string[];
}

/** Of an agent that may still be answered in time, in its row; also of one whose cache has expired, in the tooltip. */
export function cacheWords(folder: OpenFolder, { id }: { readonly id: string }): CacheWords {
  const { workspace } = folder;
  const cache = agentCache(folder, id);
  if (!cache) return { short: [], long: [] };
  const minutes = Math.floor((Date.parse(cache.expiresAt) - Date.parse(workspace.now())) / 60_000);
  const tokens = Math.round(cache.tokens / 1_000);
  if (minutes < 0) return { short: [], long: [vscode.l10n.t('Its cache has expired ({0}k tokens).', tokens)] };
  return {
    short: [vscode.l10n.t('cache {0} min', minutes)],
    long: [vscode.l10n.t('{0} min until its cache expires ({1}k tokens).', minutes, tokens)],
  };
}
