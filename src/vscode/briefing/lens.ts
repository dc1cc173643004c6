/**
 * Lines at the top of an affected file: "Held by Q-12: JWT or sessions?" opens the form, and "1 critical warning · 2
 * decisions" the briefing.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { concerns, type Briefing, type Group } from '../../core/memory/briefing.ts';
import { plainText, shownLine } from '../../core/kit/text.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { placeOf } from '../kit/files.ts';
import { withoutIcons } from '../kit/messages.ts';
import { latestBriefing } from '../../ui/briefing/latest.ts';
import { oncePerBurst } from '../../ui/kit/timing.ts';

/** Groups bursts of records. Milliseconds. */
const burstMs = 300;
/**
 * Second refresh: VS Code updates the text of an existing lens only if the line is rendered at that moment
 * (CodeLensWidget.computeIfNecessary), and discards the update otherwise. A file that has just come to the front would
 * show the old text. Milliseconds.
 */
const againMs = 1_500;

export function registerMemoryLens(folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let second: NodeJS.Timeout | undefined;
  const again = () => {
    clearTimeout(second);
    second = setTimeout(() => {
      changed.fire();
    }, againMs);
  };
  const burst = all.add(
    oncePerBurst(burstMs, () => {
      changed.fire();
      again();
    }),
  );
  all.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file' },
      {
        onDidChangeCodeLenses: changed.event,
        async provideCodeLenses(document) {
          if (!vscode.workspace.getConfiguration().get<boolean>(ids.settings.codeLens, true)) return [];
          const top = new vscode.Range(0, 0, 0, 0);
          return (await commandsFor(folders, document.uri)).map((command) => new vscode.CodeLens(top, command));
        },
      },
    ),
  );
  all.add(folders.onDidChange(burst.soon));
  all.add(vscode.window.onDidChangeVisibleTextEditors(again));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.codeLens)) changed.fire();
    }),
  );
  all.add({
    dispose() {
      clearTimeout(second);
    },
  });
  return all;
}

async function commandsFor(folders: Folders, uri: vscode.Uri): Promise<vscode.Command[]> {
  await folders.opened;
  const place = placeOf(folders, uri);
  const state = place?.folder.workspace.standing().state;
  // Avoids loading the database when there are no holds and events. Events come last: their headers may be unread.
  if (!place || !state || (state.holders.size === 0 && state.events.size === 0)) return [];
  const { workspace } = place.folder;
  const briefing = await latestBriefing(workspace, place.path);
  const memory = parts(briefing, place.path, workspace.ignoreCase).join(' · ');
  return [
    ...heldBy(briefing, (id) => folders.keyOf(place.folder, id)),
    ...(memory === '' ? [] : [{ command: ids.commands.showBriefing, title: memory }]),
  ];
}

/** With several, the most pressing one opens; its form leads to the others. */
function heldBy({ waiting }: Briefing, keyOf: (id: string) => string): vscode.Command[] {
  const holding = waiting.items.filter(({ concerns_focus }) => concerns_focus);
  const [first] = holding;
  if (!first) return [];
  const title =
    holding.length === 1
      ? l10n.t('Held by {0}: {1}', first.id, withoutIcons(shownLine(plainText(first.text))))
      : l10n.t('Held by {0} questions', holding.length);
  return [{ command: ids.commands.openForm, title: `$(debug-pause) ${title}`, arguments: [keyOf(first.id)] }];
}

function parts({ critical_warnings, relevant }: Briefing, path: string, ignoreCase: boolean): string[] {
  const count = ({ items, more }: Group<unknown>) => items.length + more;
  const critical = critical_warnings.items.filter(({ scopes }) =>
    scopes.some((scope) => concerns(scope, path, ignoreCase)),
  );
  return [
    countText(critical.length, l10n.t('1 critical warning'), (n) => l10n.t('{0} critical warnings', n)),
    countText(count(relevant.warning), l10n.t('1 warning'), (n) => l10n.t('{0} warnings', n)),
    countText(count(relevant.decision), l10n.t('1 decision'), (n) => l10n.t('{0} decisions', n)),
  ].filter((part) => part !== null);
}

function countText(n: number, one: string, more: (n: number) => string): string | null {
  return n === 0 ? null : n === 1 ? one : more(n);
}
