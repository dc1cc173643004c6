/** The workspace folders that a program shows, with their stores; folders of one repository share one. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Closable } from './disposables.ts';

/** Of VS Code's addresses, models need only these. */
interface FolderUri {
  readonly fsPath: string;
  toString(): string;
}

export interface OpenFolder {
  readonly workspace: Workspace;
  readonly name: string;
  readonly uri: FolderUri;
}

/** Opened after activation, or earlier on demand; code that reads stores waits for `onDidChange`. */
export interface Folders extends Closable {
  readonly all: readonly OpenFolder[];
  /** The folders by store: worktrees of one repository share one. */
  readonly stores: readonly (readonly [OpenFolder, ...OpenFolder[]])[];
  /**
   * `stores` and, while it is open, the sample: for code that lists, shows and answers items. All other code, such as
   * agents and keepers, sees only the window's folders.
   */
  readonly shown: readonly (readonly [OpenFolder, ...OpenFolder[]])[];
  /** Adds a workspace outside this window to `shown` until it is closed. One at a time. */
  showSample(folder: OpenFolder): Closable;
  /**
   * Fires when the folders are open, after any change in any store, and when folders are added or removed; each
   * listener runs in its own turn.
   */
  onDidChange(listener: () => void): Closable;
  /** The folder and id that a key stands for; null if its folder is not open. */
  find(key: string): { readonly folder: OpenFolder; readonly id: string } | null;
  keyOf(folder: OpenFolder, id: string): string;
  /** Resolves once the folders are open; never if the extension is deactivated before. */
  readonly opened: Promise<void>;
}
