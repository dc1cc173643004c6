/** Asks the person in a tab of this extension, which runs on their side: no extension of the remote machine can draw in it or click in it. */
import * as vscode from 'vscode';
import type { CheckedRequest } from './check.ts';
import { json } from './kinds/kind.ts';
import { pageOf } from './page.ts';
import { notesOn } from './workspaces.ts';
import type { KnownWorkspaces } from './workspaces.ts';

/** A click that comes sooner was meant for something else. */
const tooSoonMs = 500;

/** @returns whether the person clicked "Sign" */
export function ask(request: CheckedRequest, known: KnownWorkspaces): Promise<boolean> {
  const panel = vscode.window.createWebviewPanel(
    'holdpointSigner',
    vscode.l10n.t('Sign a Decision'),
    { viewColumn: place() },
    { enableScripts: true, localResourceRoots: [] },
  );
  return new Promise((resolve) => {
    let readableSince = Infinity;
    const end = (isAgreed: boolean): void => {
      resolve(isAgreed);
      panel.dispose();
    };
    panel.onDidDispose(() => {
      resolve(false);
    });
    panel.onDidChangeViewState(() => {
      readableSince = panel.visible ? performance.now() : Infinity;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (message === 'ready') readableSince = performance.now();
      else if (message === 'no') end(false);
      else if (message === 'sign' && panel.visible && performance.now() - readableSince >= tooSoonMs) end(true);
    });
    panel.webview.html = pageOf({
      decisions: request.items.map(({ describe, whole }) => ({ ...describe(vscode.l10n), whole: json(whole) })),
      by: request.by,
      notes: notesOn(request.workspace, known),
      l10n: vscode.l10n,
      language: vscode.env.language,
      tooSoonMs,
    });
  });
}

/** Beside a form that is in a tab itself, such as the review of an RFC: it would be hidden, and read again from the top. */
function place(): vscode.ViewColumn {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input instanceof vscode.TabInputWebview ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}
