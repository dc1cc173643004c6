/** A workspace as gates and hooks open it: `state.json` answers, and everything else is loaded where that does not. */
import { findStore, relativeTo } from '../../store/journal/findStore.ts';
import { foldsCase } from '../../store/journal/files.ts';
import { isJoined, openStateFile, userFolder } from '../../store/journal/stateFile.ts';
import { loadCurrent } from '../../store/saved/current.ts';
import { hashOfKeys, keyringFile, type PinnedKey } from '../../trust/keyring.ts';
import path from 'node:path';
import { isManaged, managedFolder, readPins } from './thisMachine.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export type Answering = Pick<
  Workspace,
  | ('options' | 'location' | 'worktree' | 'ignoreCase' | 'stateFile' | 'userFolder')
  | ('pins' | 'person' | 'confirming' | 'current' | 'store' | 'changed')
>;

export type AtGate = Answering & Pick<Workspace, 'close'>;

export async function openAtGate(options: WorkspaceOptions): Promise<AtGate> {
  const { fs, platform } = options;
  const folder = userFolder(options);
  const location = options.location ?? findStore(fs, folder, options.folder);
  const { root } = location;
  let whole: Workspace | null = null;
  const open = async () => {
    const { openWorkspace } = await import('./workspace.ts');
    return (whole ??= openWorkspace({ ...options, location }));
  };
  const stateFile = openStateFile(fs, folder, location, options.newId);
  const isPlain =
    location.problem === null &&
    !isManaged(fs, options.managedFolder ?? managedFolder(platform)) &&
    !isJoined(fs, stateFile.path);
  const pins = isPlain ? pinsIn(options, folder) : null;
  const found = pins && loadCurrent({ fs, root, stateFile, keys: hashOfKeys(pins) });
  if (!pins || !found || found.state.shared) return open();
  return {
    options,
    location,
    worktree: relativeTo(root, location.worktree),
    ignoreCase: foldsCase(platform),
    stateFile,
    userFolder: folder,
    pins: () => pins,
    person: () => null,
    confirming: null,
    current: () => whole?.current() ?? { state: found.state, problem: null },
    store: async () => (await open()).store(),
    changed: () => whole?.changed(),
    close: () => whole?.close(),
  };
}

/** Null: the journal is read, and says what is wrong with the ring where a signature is checked. */
function pinsIn({ fs }: WorkspaceOptions, folder: string): readonly PinnedKey[] | null {
  try {
    return readPins(fs, path.join(folder, keyringFile));
  } catch {
    return null;
  }
}
