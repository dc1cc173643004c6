/** Webviews of the editor, in the sidebar or a tab, as surfaces use them. */
import type * as vscode from 'vscode';
import type { Page } from '../../ui/surface/page.ts';

export function pageOfView(view: vscode.WebviewView): Page {
  return {
    webview: view.webview,
    isVisible: () => view.visible,
    onDidChangeVisibility: (listener) => view.onDidChangeVisibility(listener),
    onDidDispose: (listener) => view.onDidDispose(listener),
  };
}

export function pageOfPanel(panel: vscode.WebviewPanel): Page {
  return {
    webview: panel.webview,
    isVisible: () => panel.visible,
    onDidChangeVisibility: (listener) => panel.onDidChangeViewState(listener),
    onDidDispose: (listener) => panel.onDidDispose(listener),
  };
}
