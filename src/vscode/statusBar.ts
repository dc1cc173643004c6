/**
 * `$(debug-pause) 3 waiting`: hidden when nothing is waiting, red while a critical question waits for a human. The number equals the
 * tree's. Also shows when a hold was widened to every file, even if only a draft holds, and when the server of a shared workspace does not answer. The hover says how much is waiting in other folders.
 */
import * as vscode from 'vscode';
import type { Workspace } from '../app/workspace/workspace.ts';
import { collect } from './kit/disposables.ts';
import type { Closable } from './kit/disposables.ts';
import type { Folders } from './kit/folders.ts';
import { ids } from './kit/ids.ts';
import { whenSlow } from './kit/whenSlow.ts';
import { problemWords } from './kit/problemWords.ts';
import type { SetupKeeper } from './hosts/setupKeeper.ts';
import { sharedStatus } from './surface/outage.ts';
import type { SharedStatus } from './surface/outage.ts';
import { criticalOf, waitingOf } from './waiting/nodes.ts';
import type { OtherFolders } from './waiting/otherFolders.ts';
import { widenedIn } from './waiting/order.ts';
import { othersLine } from './waiting/otherView.ts';

export function registerStatusBar(folders: Folders, setup: SetupKeeper, others: OtherFolders): Closable {
  const all = collect();
  const item = all.add(vscode.window.createStatusBarItem('holdpoint.waiting', vscode.StatusBarAlignment.Left, 10));
  item.name = 'Holdpoint';
  item.command = ids.commands.openFirst;
  let isOpen = false;
  void folders.opened.then(() => {
    isOpen = true;
  });
  const update = () => {
    if (!isOpen) return;
    const count = waitingOf(folders);
    const problems = folders.all.flatMap(({ workspace }) => workspace.standing().problem ?? []);
    const unknown = problems.length > 0;
    const wide = folders.stores.flatMap(([{ workspace }]) => widened(workspace));
    const critical = criticalOf(folders);
    const shared = sharedStatus(folders);
    const isOut = shared !== null && shared.state !== 'current';
    const waits = isOut && count === 0 ? [] : [waitingText(count, critical, wide.length > 0)];
    item.text = problems.some(({ code }) => code !== 'newer')
      ? vscode.l10n.t('$(error) Holdpoint: all agents paused')
      : unknown
        ? vscode.l10n.t('$(error) Holdpoint: update needed, all agents paused')
        : [...(isOut ? [sharedText(shared)] : []), ...waits].join(' · ');
    const about = unknown
      ? [...new Set(problems.map(problemWords))].join('\n')
      : vscode.l10n.t('{0} waiting for you. Open the first one.', count);
    item.tooltip = [
      about,
      ...(shared === null ? [] : [shared.words]),
      ...wide,
      ...othersLine(others),
      ...setup.lines(),
    ].join('\n');
    item.backgroundColor =
      unknown || shared?.state === 'unknown' || critical.human > 0
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : undefined;
    if (count + critical.agent > 0 || wide.length > 0 || isOut) item.show();
    else item.hide();
  };
  // Hidden, it would say that nothing is waiting.
  all.add(
    whenSlow(folders.opened, () => {
      item.text = '$(sync~spin) Holdpoint';
      item.tooltip = vscode.l10n.t('Reading the journal…');
      item.show();
    }),
  );
  all.add(folders.onDidChange(update));
  all.add(setup.onDidChange(update));
  all.add(others.onDidChange(update));
  return all;
}

function sharedText({ state, words }: SharedStatus): string {
  return `${state === 'unknown' ? '$(error)' : '$(debug-disconnect)'} ${words}`;
}

function waitingText(count: number, critical: ReturnType<typeof criticalOf>, wide: boolean): string {
  const parts = [vscode.l10n.t('$(debug-pause) {0} waiting', count)];
  if (critical.human > 0) parts.push(vscode.l10n.t('{0} critical', critical.human));
  if (critical.agent > 0) parts.push(vscode.l10n.t('{0} critical, waiting for the agent', critical.agent));
  if (wide) parts.push(vscode.l10n.t('all files held'));
  return parts.join(' · ');
}

/** A line for each hold that a human widened. */
function widened(workspace: Workspace): string[] {
  const { state } = workspace.standing();
  if (!state) return [];
  return widenedIn(workspace, state).map(({ id, widened: by }) =>
    vscode.l10n.t('{0} holds all files with {1}', by?.by ?? '', id),
  );
}
