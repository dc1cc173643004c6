/** The states of all workspaces of this user, kept open and read on. Nothing is written, swept or run there. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import type { State } from '../../core/state/state.ts';
import { knownStores, userFolder, type Anchor } from '../../store/journal/stateFile.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { InboxOptions } from './inbox.ts';

export interface KnownStanding {
  readonly workspace: string;
  readonly project: string;
  readonly state: State;
  /** The keys that are trusted there; none while they are not known. */
  readonly keys: readonly PinnedKey[];
}

export interface KnownStandings {
  /** Leaves out workspaces that are missing or UNKNOWN. Each id comes once. Reads one workspace in each turn. */
  look(): Promise<KnownStanding[]>;
  close(): void;
}

export function followStandings(options: InboxOptions): KnownStandings {
  const { fs, env, platform, home, clock, newId, managedFolder } = options;
  const machine = { fs, env, platform, home, clock, newId, managedFolder };
  const open = new Map<string, Workspace>();
  let closed = false;

  function standingOf({ root }: Anchor): KnownStanding[] {
    if (!isThere(root)) {
      open.get(root)?.close();
      open.delete(root);
      return [];
    }
    const location = { root, worktree: root, problem: null };
    const workspace =
      open.get(root) ?? openWorkspace({ ...machine, folder: root, location, mayWrite: () => false, wasm: noRows });
    open.set(root, workspace);
    const { state } = workspace.standing();
    if (!state?.workspace) return [];
    const project = state.shared?.name ?? path.basename(root);
    return [{ workspace: state.workspace.id, project, state, keys: workspace.pins() }];
  }

  /** Behind a link is another folder, which has a record of its own if it is in use. */
  function isThere(root: string): boolean {
    try {
      return fs.statSync(root).isDirectory() && fs.realpathSync.native(root) === root;
    } catch {
      return false;
    }
  }

  return {
    async look() {
      const found = new Map<string, KnownStanding>();
      for (const anchor of knownStores(fs, userFolder(options)).anchors) {
        for (const one of standingOf(anchor)) if (!found.has(one.workspace)) found.set(one.workspace, one);
        await nextTurn();
        if (closed) return [];
      }
      return [...found.values()];
    },
    close() {
      closed = true;
      for (const workspace of open.values()) workspace.close();
      open.clear();
    },
  };
}

function noRows(): never {
  throw new Error('the rows of other workspaces are not read');
}
