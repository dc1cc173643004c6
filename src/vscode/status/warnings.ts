/** Critical warnings of project memory, for the status bar. They stop no agent, so they have no colour of their own. */
import * as l10n from '@vscode/l10n';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { criticalWarnings } from '../briefing/memoryOf.ts';

export interface Warnings {
  readonly count: number;
  /** Lines of a tooltip; plain text on purpose, because agents wrote most of it. */
  readonly lines: readonly string[];
}

const listedAtMost = 10;

/** @param changed called when the text of the warnings was read */
export function followWarnings(folders: Folders, changed: () => void): () => Warnings {
  /** The ids listed last, to avoid reading their text again. */
  let listed = '';
  let lines: readonly string[] = [];
  return () => {
    const stores = folders.stores.map(([folder]) => ({ folder, state: folder.workspace.standing().state }));
    const count = stores.reduce((sum, { state }) => sum + (state?.criticalWarnings.size ?? 0), 0);
    const now = JSON.stringify(stores.map(({ folder, state }) => [folder.name, ...(state?.criticalWarnings ?? [])]));
    if (now !== listed) {
      listed = now;
      lines = [];
      if (count > 0)
        void linesOf(folders, count).then((read) => {
          if (listed !== now) return;
          lines = read;
          changed();
        });
    }
    return { count, lines };
  };
}

async function linesOf(folders: Folders, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (const [folder] of folders.stores)
    for (const { id, text } of await criticalWarnings(folder, listedAtMost))
      lines.push(`${id}: ${shownLine(plain(text))}`);
  const shown = lines.slice(0, listedAtMost);
  if (count > shown.length) shown.push(l10n.t('and {0} more', count - shown.length));
  return [l10n.t('Critical warnings'), ...shown];
}
