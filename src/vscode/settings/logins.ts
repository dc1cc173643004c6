/**
 * The human's own logins to servers that a team shares, in SecretStorage: one for each workspace. Programs of agents cannot
 * read it. A copy in memory, because stores ask for it while they sign.
 */
import type * as vscode from 'vscode';
import { sharedIdOf } from '../../app/team/servers.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export interface Logins {
  /** The URL of the human's login for a workspace; null without one, and until it was read. */
  of(workspace: Workspace): string | null;
  /** The same, read from SecretStorage. */
  read(workspace: Workspace): Promise<string | null>;
  /** @param id of the workspace */
  save(id: string, url: string): Promise<void>;
  forget(id: string): Promise<void>;
  /** Reads the logins of the window's folders, and again when one changes, in any window. */
  follow(folders: Folders): Closable;
}

const prefix = 'holdpoint.login.';

export function openLogins(secrets: Secrets): Logins {
  const known = new Map<string, string | null>();

  async function load(id: string): Promise<string | null> {
    const url = (await secrets.get(prefix + id)) ?? null;
    known.set(id, url);
    return url;
  }

  async function loadNew(folders: Folders): Promise<void> {
    for (const { workspace } of folders.all) {
      const id = idOf(workspace);
      if (id !== null && !known.has(id)) await load(id);
    }
  }

  async function loadAgain(folders: Folders, id: string): Promise<void> {
    const before = known.get(id);
    if ((await load(id)) === before) return;
    for (const { workspace } of folders.all) if (idOf(workspace) === id) workspace.reopen();
  }

  return {
    of(workspace) {
      const id = idOf(workspace);
      return id === null ? null : (known.get(id) ?? null);
    },
    async read(workspace) {
      const id = idOf(workspace);
      return id === null ? null : load(id);
    },
    async save(id, url) {
      known.set(id, url);
      await secrets.store(prefix + id, url);
    },
    async forget(id) {
      known.set(id, null);
      await secrets.delete(prefix + id);
    },
    follow(folders) {
      const all = collect();
      void folders.opened.then(() => loadNew(folders));
      all.add(folders.onDidChange(() => void loadNew(folders)));
      all.add(
        secrets.onDidChange(({ key }) => {
          if (key.startsWith(prefix)) void loadAgain(folders, key.slice(prefix.length));
        }),
      );
      return all;
    },
  };
}

/** Null also where it cannot be read; then nothing can be signed anyway. */
function idOf(workspace: Workspace): string | null {
  try {
    return sharedIdOf(workspace);
  } catch {
    return null;
  }
}
