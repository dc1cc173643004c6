/** An editor tab that exists once per window: a command opens or focuses it, and a reload restores it. */
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { webviewOptions } from './webviewHtml.ts';

export interface OnePanelOptions {
  readonly context: vscode.ExtensionContext;
  readonly command: string;
  readonly viewType: string;
  readonly title: () => string;
  readonly show: (panel: vscode.WebviewPanel) => Closable;
}

export function registerOnePanel({ context, command, viewType, title, show }: OnePanelOptions): Closable {
  const all = collect();
  let panel: vscode.WebviewPanel | null = null;

  function attach(opened: vscode.WebviewPanel): void {
    panel = opened;
    const shown = show(opened);
    opened.onDidDispose(() => {
      shown.dispose();
      panel = null;
    });
  }

  all.add(
    vscode.commands.registerCommand(command, () => {
      if (panel) {
        panel.reveal();
        return;
      }
      attach(
        vscode.window.createWebviewPanel(viewType, title(), vscode.ViewColumn.Active, {
          ...webviewOptions(context.extensionUri),
          enableFindWidget: true,
        }),
      );
    }),
  );
  all.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel(restored) {
        restored.webview.options = webviewOptions(context.extensionUri);
        attach(restored);
        return Promise.resolve();
      },
    }),
  );
  all.add({
    dispose() {
      panel?.dispose();
    },
  });
  return all;
}
