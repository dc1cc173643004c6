/** The open reviews of this window: at most one per RFC, including those restored after a reload. */
import * as vscode from 'vscode';
import type { Forms } from '../kit/forms.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { watchModels } from './models.ts';
import type { Models } from './models.ts';
import { openReviews } from './reviews.ts';
import { openRfcPanel } from './panel.ts';
import type { RfcPanel } from './panel.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { webviewOptions } from '../kit/webviewHtml.ts';

export interface RfcPanels extends Closable {
  /** Opens the review of an RFC. Decides nothing. */
  open(key: string): void;
  /** Whether the review of this RFC is visible. */
  isShown(key: string): boolean;
  /** Whether a review is in front, whose buttons nothing should cover. */
  isReviewing(): boolean;
  readonly onDidChangeReviewing: vscode.Event<void>;
}

export interface RfcPanelsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
}

export function registerRfcPanels({ context, folders, keys, forms }: RfcPanelsOptions): RfcPanels {
  const all = collect();
  const reviews = openReviews(context.workspaceState);
  // Created with the first review: the editor's start must not query models.
  let models: Models | undefined;
  const byKey = new Map<string, RfcPanel>();
  const panels = new Map<string, vscode.WebviewPanel>();
  const changed = all.add(new vscode.EventEmitter<void>());

  function take(key: string, panel: vscode.WebviewPanel): RfcPanel {
    models ??= all.add(watchModels());
    const opened = openRfcPanel({ context, folders, keys, forms, reviews, models, key, panel });
    byKey.set(key, opened);
    panels.set(key, panel);
    panel.onDidChangeViewState(() => {
      changed.fire();
    });
    panel.onDidDispose(() => {
      opened.dispose();
      if (byKey.get(key) === opened) byKey.delete(key);
      if (panels.get(key) === panel) panels.delete(key);
      changed.fire();
    });
    changed.fire();
    return opened;
  }

  all.add(
    vscode.window.registerWebviewPanelSerializer(ids.panels.rfc, {
      // The editor requires a promise.
      async deserializeWebviewPanel(panel, state: unknown) {
        await Promise.resolve();
        const key = keyOf(state);
        if (key === null || byKey.has(key)) panel.dispose();
        else {
          panel.webview.options = webviewOptions(context.extensionUri);
          take(key, panel);
        }
      },
    }),
  );
  return {
    open(key) {
      const known = byKey.get(key);
      if (known) {
        known.reveal();
        return;
      }
      const id = folders.find(key)?.id ?? '';
      const panel = vscode.window.createWebviewPanel(
        ids.panels.rfc,
        id,
        vscode.ViewColumn.Active,
        webviewOptions(context.extensionUri),
      );
      take(key, panel);
    },
    isShown: (key) => panels.get(key)?.visible ?? false,
    isReviewing: () => [...panels.values()].some(({ active }) => active),
    onDidChangeReviewing: changed.event,
    dispose: () => {
      for (const one of byKey.values()) one.dispose();
      all.dispose();
    },
  };
}

/** The RFC's key in the page's saved state. */
function keyOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('key' in state)) return null;
  return typeof state.key === 'string' && state.key !== '' ? state.key : null;
}
