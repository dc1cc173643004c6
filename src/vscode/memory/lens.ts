/**
 * A line at the top of a concerned file: "1 critical warning · 2 decisions · Q-12 waiting". A click opens the briefing.
 */
import * as vscode from 'vscode';
import { briefingOf } from '../../app/memory/briefing.ts';
import { concerns } from '../../core/memory/briefing.ts';
import type { Briefing, Group } from '../../core/memory/briefing.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { placeOf } from '../kit/inEditor.ts';

/** Groups bursts of records. Milliseconds. */
const burstMs = 300;
/**
 * Second refresh: VS Code updates the text of an existing lens only if the line is rendered at that moment
 * (CodeLensWidget.computeIfNecessary), and discards the update otherwise. A file that just came to the front would show
 * the old text. Milliseconds.
 */
const againMs = 1_500;

export function registerMemoryLens(folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let timer: NodeJS.Timeout | undefined;
  let second: NodeJS.Timeout | undefined;
  const again = () => {
    clearTimeout(second);
    second = setTimeout(() => {
      changed.fire();
    }, againMs);
  };
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed.fire();
      again();
    }, burstMs);
  };
  all.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file' },
      {
        onDidChangeCodeLenses: changed.event,
        async provideCodeLenses(document) {
          if (!vscode.workspace.getConfiguration().get<boolean>(ids.settings.codeLens, true)) return [];
          const title = await words(folders, document.uri);
          const command = { command: ids.commands.showBriefing, title: title ?? '' };
          return title === null ? [] : [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
        },
      },
    ),
  );
  all.add(folders.onDidChange(soon));
  all.add(vscode.window.onDidChangeVisibleTextEditors(again));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.codeLens)) changed.fire();
    }),
  );
  all.add({
    dispose() {
      clearTimeout(timer);
      clearTimeout(second);
    },
  });
  return all;
}

/** Null when there is nothing to show. */
async function words(folders: Folders, uri: vscode.Uri): Promise<string | null> {
  const place = placeOf(folders, uri);
  const state = place?.folder.workspace.standing().state;
  // Avoids loading the database when there are no events and holds.
  if (!place || !state || (state.events.size === 0 && state.holders.size === 0)) return null;
  const { workspace } = place.folder;
  const { briefing } = briefingOf(workspace, (await workspace.store()).read(), { focus: place.path });
  return parts(briefing, place.path, workspace.ignoreCase).join(' · ') || null;
}

const namedAtMost = 3;

function parts({ critical_warnings, relevant, waiting }: Briefing, path: string, ignoreCase: boolean): string[] {
  const count = ({ items, more }: Group<unknown>) => items.length + more;
  const critical = critical_warnings.items.filter(({ scopes }) =>
    scopes.some((scope) => concerns(scope, path, ignoreCase)),
  );
  const holding = waiting.items.filter(({ concerns_focus }) => concerns_focus).map(({ id }) => id);
  const named = holding.slice(0, namedAtMost).join(', ');
  return [
    counted(critical.length, vscode.l10n.t('1 critical warning'), (n) => vscode.l10n.t('{0} critical warnings', n)),
    counted(count(relevant.warning), vscode.l10n.t('1 warning'), (n) => vscode.l10n.t('{0} warnings', n)),
    counted(count(relevant.decision), vscode.l10n.t('1 decision'), (n) => vscode.l10n.t('{0} decisions', n)),
    holding.length === 0
      ? null
      : holding.length > namedAtMost
        ? vscode.l10n.t('{0} and {1} more waiting', named, holding.length - namedAtMost)
        : vscode.l10n.t('{0} waiting', named),
  ].filter((part) => part !== null);
}

function counted(n: number, one: string, more: (n: number) => string): string | null {
  return n === 0 ? null : n === 1 ? one : more(n);
}
