/** The webview interface that surfaces use, in the sidebar or a tab. */
import type * as vscode from 'vscode';
import type { Closable } from '../kit/disposables.ts';
import { createTextsOfPage } from '../kit/strings.ts';
import type { TextsOfPage } from '../kit/strings.ts';

export interface Page {
  readonly webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>;
  readonly isVisible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => Closable;
  readonly onDidDispose: (listener: () => void) => Closable;
  /** Absent for pages that fetch them. */
  readonly texts?: TextsOfPage;
}

export function pageOfView(view: vscode.WebviewView): Page {
  return {
    webview: view.webview,
    isVisible: () => view.visible,
    onDidChangeVisibility: (listener) => view.onDidChangeVisibility(listener),
    onDidDispose: (listener) => view.onDidDispose(listener),
    texts: createTextsOfPage(),
  };
}

export function pageOfPanel(panel: vscode.WebviewPanel): Page {
  return {
    webview: panel.webview,
    isVisible: () => panel.visible,
    onDidChangeVisibility: (listener) => panel.onDidChangeViewState(listener),
    onDidDispose: (listener) => panel.onDidDispose(listener),
    texts: createTextsOfPage(),
  };
}
