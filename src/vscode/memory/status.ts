/**
 * `$(warning) 2 warnings`: critical warnings of project memory; hidden when there are none. A click opens the briefing.
 * They stop no agent, so they have no colour of their own.
 */
import * as vscode from 'vscode';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';

import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { criticalWarnings } from './memoryOf.ts';

const listedAtMost = 10;

export function registerMemoryStatus(folders: Folders): Closable {
  const all = collect();
  const item = all.add(vscode.window.createStatusBarItem('holdpoint.warnings', vscode.StatusBarAlignment.Left, 9));
  item.name = vscode.l10n.t('Holdpoint: warnings in project memory');
  item.command = ids.commands.showBriefing;
  /** The ids listed last, to avoid reading their texts again. */
  let listed = '';

  const update = () => {
    const stores = folders.stores.map(([folder]) => ({ folder, state: folder.workspace.standing().state }));
    const count = stores.reduce((sum, { state }) => sum + (state?.criticalWarnings.size ?? 0), 0);
    item.text = count === 1 ? vscode.l10n.t('$(warning) 1 warning') : vscode.l10n.t('$(warning) {0} warnings', count);
    if (count > 0) item.show();
    else item.hide();
    const now = JSON.stringify(stores.map(({ folder, state }) => [folder.name, ...(state?.criticalWarnings ?? [])]));
    if (now === listed || count === 0) return;
    listed = now;
    item.tooltip =
      count === 1
        ? vscode.l10n.t('1 critical warning. Open the briefing.')
        : vscode.l10n.t('{0} critical warnings. Open the briefing.', count);
    void tooltip(folders, count).then((text) => {
      if (listed === now) item.tooltip = text;
    });
  };
  all.add(folders.onDidChange(update));
  return all;
}

/** Plain text on purpose: agents wrote most of it. */
async function tooltip(folders: Folders, count: number): Promise<string> {
  const lines: string[] = [];
  for (const [folder] of folders.stores)
    for (const { id, text } of await criticalWarnings(folder, listedAtMost))
      lines.push(`${id}: ${shownLine(plain(text))}`);
  const shown = lines.slice(0, listedAtMost);
  if (count > shown.length) shown.push(vscode.l10n.t('and {0} more', count - shown.length));
  return [vscode.l10n.t('Critical warnings'), ...shown].join('\n');
}
