/**
 * An editor tab that shows snapshots and signs nothing: drawn while its page runs and is visible, one drawing after
 * another.
 */
import type * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';
import { tabIcon, webviewHtml } from './webviewHtml.ts';

export interface SnapshotPanelOptions {
  readonly context: vscode.ExtensionContext;
  readonly page: Parameters<typeof webviewHtml>[2];
  /** Validated by its schema. */
  readonly snapshot: () => Promise<object>;
  /** An unvalidated message of the page. */
  readonly receive: (raw: unknown) => Promise<void>;
}

export interface SnapshotPanel extends Closable {
  /** The page has started; nothing is drawn before. */
  begin(): void;
  /** Draws after the drawing in progress. A hidden tab is drawn when it is shown. */
  draw(): void;
}

export function attachSnapshots(panel: vscode.WebviewPanel, options: SnapshotPanelOptions): SnapshotPanel {
  const all = collect();
  const { webview } = panel;
  const { extensionUri } = options.context;
  let ready = false;
  const drawInTurn = inTurn(async () => {
    await webview.postMessage(await options.snapshot());
  });

  function draw(): void {
    if (ready && panel.visible) void drawInTurn();
  }

  all.add(webview.onDidReceiveMessage((raw: unknown) => options.receive(raw)));
  all.add(panel.onDidChangeViewState(draw));
  panel.iconPath = tabIcon(extensionUri);
  webview.html = webviewHtml(webview, extensionUri, options.page, 'Holdpoint');
  return {
    begin() {
      ready = true;
      draw();
    },
    draw,
    dispose() {
      all.dispose();
    },
  };
}
