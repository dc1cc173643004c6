/** The workspace folders that a program shows, with their stores; folders of one repository share one. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import { collect, type Closable } from './timing.ts';
import { sha256 } from '../../trust/canonical.ts';

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

// Keys of items in a window: the folder by its address, and the item's id. Drafts, tabs and open forms keep keys,
// so a key must not come to stand for another folder when folders are added, removed or sorted.

interface Place {
  readonly uri: { toString(): string };
}

const sampleName = 'sample';
const nameLength = 16;
const keyForm = /^([0-9a-f]{16}|sample)\/(.+)$/;

/** @param sample the sample workspace, while it is open */
export function itemKeys<Folder extends Place>(all: () => readonly Folder[], sample: () => Folder | null) {
  const names = new Map<string, string>();

  function nameOf({ uri }: Place): string {
    if (uri === sample()?.uri) return sampleName;
    const address = String(uri);
    const name = names.get(address) ?? sha256(address).slice(0, nameLength);
    names.set(address, name);
    return name;
  }

  return {
    keyOf: (folder: Folder, id: string) => `${nameOf(folder)}/${id}`,
    find(key: string) {
      const [, name = '', id = ''] = keyForm.exec(key) ?? [];
      const folder = name === sampleName ? sample() : all().find((one) => nameOf(one) === name);
      return folder ? { folder, id } : null;
    },
  };
}

/** Begins something for each of these folders, and ends it when its folder is no longer among them. */
export function whileOpen(
  folders: Folders,
  open: () => readonly OpenFolder[],
  begin: (folder: OpenFolder) => () => unknown,
): Closable {
  const all = collect();
  const begun = new Map<OpenFolder, () => unknown>();
  const endExcept = (kept: readonly OpenFolder[]) => {
    for (const [folder, end] of begun) if (!kept.includes(folder) && begun.delete(folder)) end();
  };
  all.add(
    folders.onDidChange(() => {
      endExcept(open());
      for (const folder of open()) if (!begun.has(folder)) begun.set(folder, begin(folder));
    }),
  );
  all.add({
    dispose() {
      endExcept([]);
    },
  });
  return all;
}

// A value of each folder, computed once: every look at a store asks its file system for news of other programs.

export function perFolder<T>(compute: (folder: OpenFolder) => T): (folder: OpenFolder) => T {
  const known = new Map<OpenFolder, { readonly value: T }>();
  return (folder) => {
    const value = known.get(folder) ?? { value: compute(folder) };
    known.set(folder, value);
    return value.value;
  };
}
