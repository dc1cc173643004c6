/** `$(debug-pause) 3 waiting`: hidden when nothing waits. The number equals the tree's. */
import * as vscode from 'vscode';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders } from './folders.ts';
import { ids } from './ids.ts';
import { problemWords } from './problemWords.ts';
import type { SetupKeeper } from './setupKeeper.ts';
import { waitingOf } from './waitingNodes.ts';

export function registerStatusBar(folders: Folders, setup: SetupKeeper): Closable {
  const all = collect();
  const item = all.add(vscode.window.createStatusBarItem('holdpoint.waiting', vscode.StatusBarAlignment.Left, 10));
  item.name = 'Holdpoint';
  item.command = ids.commands.openFirst;
  const update = () => {
    const count = waitingOf(folders);
    const problems = folders.all.flatMap(({ workspace }) => workspace.standing().problem ?? []);
    const unknown = problems.length > 0;
    item.text = problems.some(({ code }) => code !== 'newer')
      ? vscode.l10n.t('$(error) Holdpoint: nothing may go on')
      : unknown
        ? vscode.l10n.t('$(error) Holdpoint: update needed, nothing may go on')
        : vscode.l10n.t('$(debug-pause) {0} waiting', count);
    const about = unknown
      ? [...new Set(problems.map(problemWords))].join('\n')
      : vscode.l10n.t('{0} waiting on you. Open the first one.', count);
    item.tooltip = [about, ...setup.lines()].join('\n');
    item.backgroundColor = unknown ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    if (count > 0) item.show();
    else item.hide();
  };
  all.add(folders.onDidChange(update));
  all.add(setup.onDidChange(update));
  return all;
}
