/** What `holdpoint open` asks for in the stores of this window. */
import { takeOpenRequest } from '../../app/workspace/openRequest.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { forEachOf } from '../../ui/kit/timing.ts';

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
  function look(root: string): void {
    const [folder] = folders.stores.find(([one]) => one.workspace.location.root === root) ?? [];
    const id = folder ? takeOpenRequest(folder.workspace) : null;
    if (folder && id !== null) open(folders.keyOf(folder, id));
  }

  return forEachOf(
    () => folders.stores.map(([{ workspace }]) => workspace.location.root),
    (root) => {
      const watcher = watch(root, () => {
        look(root);
      });
      return () => watcher.dispose();
    },
  );
}
