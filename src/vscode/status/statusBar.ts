/**
 * One item that is always there while a folder is open: dimmed while the gate is on and nothing is waiting, `$(debug-pause)
 * 3 waiting`, or what is wrong. It is red while a critical question waits for a human, and while agents are paused. The
 * number equals the tree's. The hover has the rest: teams, hooks and other folders.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { collect, type Closable, whenSlow } from '../../ui/kit/timing.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { problemWords, sharedStatus, type SharedStatus } from '../../ui/kit/problemWords.ts';
import { brokenHosts, gateIsOn, hostLines, type SetupKeeper } from '../setup/setupKeeper.ts';
import { criticalOf, waitingOf } from '../../ui/tree/nodes.ts';
import { othersLine, type OtherFolders } from '../dashboard/others.ts';
import { widenedIn } from '../../ui/tree/alikeRows.ts';

/** A part of the item's text; the first one decides what a click opens. */
interface Part {
  readonly text: string;
  readonly command: string;
}

export function registerStatusBar(folders: Folders, setup: SetupKeeper, others: OtherFolders): Closable {
  const all = collect();
  const item = all.add(vscode.window.createStatusBarItem('holdpoint.waiting', vscode.StatusBarAlignment.Left, 10));
  item.name = 'Holdpoint';
  let isOpen = false;
  void folders.opened.then(() => {
    isOpen = true;
  });

  function update(): void {
    if (!isOpen) return;
    if (folders.shown.length === 0) {
      item.hide();
      return;
    }
    const count = waitingOf(folders);
    const problems = folders.all.flatMap(({ workspace }) => workspace.standing().problem ?? []);
    const wide = folders.stores.flatMap(([{ workspace }]) => widenedHolds(workspace));
    const critical = criticalOf(folders);
    const shared = sharedStatus(folders);
    // Critical warnings stop no agent, so they have no colour of their own.
    const warnings = folders.stores.reduce(
      (sum, [{ workspace }]) => sum + (workspace.standing().state?.criticalWarnings.size ?? 0),
      0,
    );
    const broken = brokenHosts(setup.all());
    const parts: Part[] = [];
    const { openFirst, setUpAgents, showBriefing } = ids.commands;
    if (problems.length > 0)
      parts.push({
        text: problems.some(({ code }) => code !== 'newer')
          ? l10n.t('$(error) Holdpoint: all agents paused')
          : l10n.t('$(error) Holdpoint: update needed, all agents paused'),
        command: openFirst,
      });
    else {
      if (shared !== null && shared.state !== 'current') parts.push({ text: sharedText(shared), command: openFirst });
      if (broken.length > 0)
        parts.push({ text: l10n.t('$(warning) Hook broken: {0}', broken.join(', ')), command: setUpAgents });
      if (count + critical.agent > 0 || wide.length > 0)
        parts.push({ text: waitingText(count, critical, wide.length > 0), command: openFirst });
      if (warnings > 0) parts.push({ text: warningsText(warnings), command: showBriefing });
    }
    const quiet = quietPart(setup);
    const [first = quiet] = parts;
    item.text = parts.length === 0 ? quiet.text : parts.map(({ text }) => text).join(' · ');
    item.command = first.command;
    item.tooltip = [
      ...(problems.length > 0 ? [...new Set(problems.map(problemWords))] : [aboutWaiting(count)]),
      ...(shared === null ? [] : [shared.words]),
      ...wide,
      ...othersLine(others),
      ...hostLines(setup.all()),
    ].join('\n');
    item.color = parts.length === 0 ? new vscode.ThemeColor('descriptionForeground') : undefined;
    item.backgroundColor =
      problems.length > 0 || shared?.state === 'unknown' || critical.human > 0
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : broken.length > 0
          ? new vscode.ThemeColor('statusBarItem.warningBackground')
          : undefined;
    item.show();
  }

  // Otherwise it would say that nothing is waiting.
  all.add(
    whenSlow(folders.opened, () => {
      item.text = '$(sync~spin) Holdpoint';
      item.tooltip = l10n.t('Reading the journal…');
      item.show();
    }),
  );
  all.add(folders.onDidChange(update));
  all.add(setup.onDidChange(update));
  all.add(others.onDidChange(update));
  return all;
}

/** While nothing is waiting and nothing is wrong. It claims a gate only after a canary was denied. */
function quietPart(setup: SetupKeeper): Part {
  if (!vscode.workspace.isTrusted)
    return { text: l10n.t('$(shield) Holdpoint: read-only'), command: 'workbench.trust.manage' };
  switch (gateIsOn(setup.all())) {
    case true:
      return { text: l10n.t('$(shield) Gate on'), command: ids.commands.focus };
    case false:
      return { text: l10n.t('$(shield) Set up agents'), command: ids.commands.setUpAgents };
    case null:
      return { text: '$(shield) Holdpoint', command: ids.commands.focus };
  }
}

function aboutWaiting(count: number): string {
  return count === 0
    ? l10n.t('Nothing is waiting for you.')
    : l10n.t('{0} waiting for you. Open the first one.', count);
}

function sharedText({ state, words }: SharedStatus): string {
  return `${state === 'unknown' ? '$(error)' : '$(debug-disconnect)'} ${words}`;
}

function waitingText(count: number, critical: ReturnType<typeof criticalOf>, wide: boolean): string {
  const parts = [l10n.t('$(debug-pause) {0} waiting', count)];
  if (critical.human > 0) parts.push(l10n.t('{0} critical', critical.human));
  if (critical.agent > 0) parts.push(l10n.t('{0} critical, waiting for the agent', critical.agent));
  if (wide) parts.push(l10n.t('all files held'));
  return parts.join(' · ');
}

function warningsText(count: number): string {
  return count === 1 ? l10n.t('$(warning) 1 warning') : l10n.t('$(warning) {0} warnings', count);
}

function widenedHolds(workspace: Workspace): string[] {
  const { state } = workspace.standing();
  if (!state) return [];
  return widenedIn(workspace, state).map(({ id, widened: by }) =>
    l10n.t('{0} holds all files with {1}', by?.by ?? '', id),
  );
}
