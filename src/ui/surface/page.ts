/** The page that surfaces use: a webview of the editor, or a page in a browser. */
import type { Closable } from '../kit/disposables.ts';

export interface Page {
  readonly webview: {
    postMessage(message: unknown): PromiseLike<boolean>;
    onDidReceiveMessage(listener: (message: unknown) => unknown): Closable;
  };
  readonly isVisible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => Closable;
  readonly onDidDispose: (listener: () => void) => Closable;
}

/** The start of every snapshot, with the host's clock. */
export function snapshotHead(): { type: 'snapshot'; now: string } {
  return { type: 'snapshot', now: new Date().toISOString() };
}
