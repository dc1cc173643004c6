/** The page that surfaces use: a webview of the editor, or a page in a browser. */
import type { Closable } from '../kit/disposables.ts';
import type { TextsOfPage } from '../kit/strings.ts';

export interface Page {
  readonly webview: {
    postMessage(message: unknown): PromiseLike<boolean>;
    onDidReceiveMessage(listener: (message: unknown) => unknown): Closable;
  };
  readonly isVisible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => Closable;
  readonly onDidDispose: (listener: () => void) => Closable;
  /** Absent for pages that fetch them. */
  readonly texts?: TextsOfPage;
}
