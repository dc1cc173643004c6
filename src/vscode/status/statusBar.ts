/**
 * One item that is always there while a folder is open: dimmed while the gate is on and nothing is waiting, `$(debug-pause)
 * 3 waiting`, or what is wrong. It is red while a critical question waits for a human, and while agents are paused. The
 * number equals the tree's. The hover has the rest: teams, hooks, warnings of project memory and other folders.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import { criticalWarnings } from '../briefing/decorations.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { whenSlow } from '../../ui/kit/timing.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import { brokenHosts, gateIsOn, hostLines, type SetupKeeper } from '../setup/setupKeeper.ts';
import { sharedStatus, type SharedStatus } from '../../ui/surface/unavailable.ts';
import { criticalOf, waitingOf } from '../../ui/tree/nodes.ts';
import { othersLine, type OtherFolders } from '../tree/others.ts';
import { widenedIn } from '../../ui/kit/order.ts';

/** A part of the item's text; the first one decides what a click opens. */
interface Part {
  readonly text: string;
  readonly command: string;
}

export function registerStatusBar(folders: Folders, setup: SetupKeeper, others: OtherFolders): Closable {
  const all = collect();
  const item = all.add(vscode.window.createStatusBarItem('holdpoint.waiting', vscode.StatusBarAlignment.Left, 10));
  item.name = 'Holdpoint';
  const warningsNow = followWarnings(folders, () => {
    update();
  });
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
    const wide = folders.stores.flatMap(([{ workspace }]) => widened(workspace));
    const critical = criticalOf(folders);
    const shared = sharedStatus(folders);
    const warnings = warningsNow();
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
      if (warnings.count > 0) parts.push({ text: warningsText(warnings.count), command: showBriefing });
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
      ...warnings.lines,
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

function widened(workspace: Workspace): string[] {
  const { state } = workspace.standing();
  if (!state) return [];
  return widenedIn(workspace, state).map(({ id, widened: by }) =>
    l10n.t('{0} holds all files with {1}', by?.by ?? '', id),
  );
}

// Critical warnings of project memory. They stop no agent, so they have no colour of their own.

interface Warnings {
  readonly count: number;
  /** Lines of a tooltip; plain text on purpose, because agents wrote most of it. */
  readonly lines: readonly string[];
}

const listedAtMost = 10;

/** @param changed called when the text of the warnings was read */
function followWarnings(folders: Folders, changed: () => void): () => Warnings {
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
