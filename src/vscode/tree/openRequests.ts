/** What `holdpoint open` asks for in the stores of this window. */
import { takeOpenRequest } from '../../app/workspace/openRequest.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';

export interface OpenRequestsOptions {
  readonly folders: Pick<Folders, 'stores' | 'keyOf'>;
  /** Watches the file with the request in the store at this root. */
  readonly watch: (root: string, changed: () => void) => Closable;
  readonly open: (key: string) => void;
}

export interface OpenRequests extends Closable {
  /** Watches each open store once, and no others. */
  update(): void;
}

/** Ids are per store: a request opens the item of the store that it was found in, and of no other. */
export function followOpenRequests({ folders, watch, open }: OpenRequestsOptions): OpenRequests {
  const watchers = new Map<string, Closable>();

  function look(root: string): void {
    const [folder] = folders.stores.find(([one]) => one.workspace.location.root === root) ?? [];
    const id = folder ? takeOpenRequest(folder.workspace) : null;
    if (folder && id !== null) open(folders.keyOf(folder, id));
  }

  return {
    update() {
      const roots = new Set(folders.stores.map(([{ workspace }]) => workspace.location.root));
      for (const [root, watcher] of watchers) {
        if (roots.has(root)) continue;
        watcher.dispose();
        watchers.delete(root);
      }
      for (const root of roots) {
        if (watchers.has(root)) continue;
        const changed = () => {
          look(root);
        };
        watchers.set(root, watch(root, changed));
      }
    },
    dispose() {
      for (const watcher of watchers.values()) watcher.dispose();
      watchers.clear();
    },
  };
}
