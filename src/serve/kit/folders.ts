/** The server's one workspace, as the editor's models of pages take it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { inTurns } from '../../ui/kit/inTurns.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';

const prefix = '0/';

export function foldersOf(workspace: Workspace): Folders {
  const changed = inTurns();
  const place = workspace.options.folder;
  const uri = { fsPath: place, toString: () => pathToFileURL(place).href };
  const folder: OpenFolder = { workspace, name: path.basename(place), uri };
  const stop = workspace.onChange(changed.fire);
  return {
    all: [folder],
    stores: [[folder]],
    shown: [[folder]],
    showSample: () => ({ dispose: () => undefined }),
    onDidChange: (listener) => changed.event(listener),
    opened: Promise.resolve(),
    keyOf: (_folder, id) => keyOf(id),
    find: (key) => (key.startsWith(prefix) ? { folder, id: key.slice(prefix.length) } : null),
    dispose() {
      stop();
      changed.dispose();
    },
  };
}

/** The key of an item, as pages name it. */
export function keyOf(id: string): string {
  return `${prefix}${id}`;
}
