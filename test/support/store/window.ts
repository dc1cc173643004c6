/** The folders of an editor's window, without an editor: their stores are real. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { type Folders, type OpenFolder, itemKeys } from '../../../src/ui/kit/folders.ts';

/** @param workspaces those that are open now; the test changes them */
export function windowWith(workspaces: Workspace[]): Folders {
  const known = new Map<Workspace, OpenFolder>();
  const folderOf = (workspace: Workspace): OpenFolder => {
    const { folder } = workspace.options;
    const uri: unknown = pathToFileURL(folder);
    const made = known.get(workspace) ?? { workspace, name: path.basename(folder), uri: uri as OpenFolder['uri'] };
    known.set(workspace, made);
    return made;
  };
  const all = () => workspaces.map(folderOf);
  const stores = () => all().map((folder) => [folder] as const);
  return {
    get all() {
      return all();
    },
    get stores() {
      return stores();
    },
    get shown() {
      return stores();
    },
    showSample: () => ({ dispose: () => undefined }),
    onDidChange: () => ({ dispose: () => undefined }),
    opened: Promise.resolve(),
    ...itemKeys(all, () => null),
    dispose: () => undefined,
  };
}
