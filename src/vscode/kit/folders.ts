/** The workspace folders of this window with their stores; folders of one repository share one. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../app/workspace/workspace.ts';
import { isJoined } from '../../store/journal/stateFile.ts';
import { statOrNull, journalPath } from '../../store/journal/files.ts';
import { inTurns } from '../../ui/kit/timing.ts';
import { type Folders, type OpenFolder, itemKeys } from '../../ui/kit/folders.ts';
import type { ChosenFolder } from '../../ui/kit/view.ts';
import { inThreads } from '../../ui/kit/keepers.ts';
import { withoutIcons } from './messages.ts';

/** @param humanLogin URL of the human's own login to the server that shares a workspace; null for none */
export function openFolders(
  extensionPath: string,
  humanLogin: (workspace: Workspace) => string | null = () => null,
): Folders {
  const changed = inTurns();
  let known: OpenFolder[] | null = null;
  let sample: OpenFolder | null = null;
  let stage: 'opening' | 'open' | 'closed' = 'opening';

  function open(): OpenFolder[] {
    const before = known ?? [];
    const next = foldersOfWindow(before, openOne);
    for (const folder of before) if (!next.includes(folder)) folder.workspace.close();
    known = next;
    return next;
  }

  const all = () => known ?? open();

  function openOne(folder: string): Workspace {
    const workspace = openBesideThreads(folder, extensionPath, humanLogin);
    // Until all are open, a listener would load in one go what opening loads in steps.
    workspace.onChange(() => {
      if (stage === 'open') changed.fire();
    });
    return workspace;
  }

  const opened = new Promise<void>((resolve) => {
    const ready = () => {
      if (stage === 'closed') return;
      stage = 'open';
      changed.fire();
      resolve();
    };
    // Separate turns, so that none blocks the editor for all.
    setImmediate(() => {
      if (stage !== 'closed') all();
      setImmediate(() => void openLarge(known ?? []).then(ready, ready));
    });
  });
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(open),
    vscode.workspace.onDidChangeWorkspaceFolders(changed.fire),
    vscode.workspace.onDidGrantWorkspaceTrust(changed.fire),
  );
  return {
    get all() {
      return all();
    },
    get stores() {
      return byStore(all());
    },
    get shown() {
      return byStore(sample ? [...all(), sample] : all());
    },
    showSample(folder) {
      sample = folder;
      const stop = folder.workspace.onChange(() => {
        changed.fire();
      });
      return {
        dispose() {
          stop();
          if (sample === folder) sample = null;
          changed.fire();
        },
      };
    },
    onDidChange: (listener) => changed.event(listener),
    opened,
    ...itemKeys(all, () => sample),
    dispose() {
      stage = 'closed';
      watching.dispose();
      for (const folder of known ?? []) folder.workspace.close();
      known = [];
      changed.dispose();
    },
  };
}

/** The folders that are open in VS Code, without duplicates; existing ones keep their workspaces. */
function foldersOfWindow(before: readonly OpenFolder[], openOne: (folder: string) => Workspace): OpenFolder[] {
  const kept = new Map(before.map((folder) => [folder.uri.toString(), folder]));
  const places = new Set<string>();
  const next: OpenFolder[] = [];
  for (const { uri, name } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const folder = kept.get(uri.toString()) ?? { workspace: openOne(uri.fsPath), name, uri };
    const place = `${folder.workspace.location.root} ${folder.workspace.worktree}`;
    if (places.has(place)) continue;
    places.add(place);
    next.push(folder);
  }
  return next;
}

function openBesideThreads(
  folder: string,
  extensionPath: string,
  humanLogin: (workspace: Workspace) => string | null,
): Workspace {
  const workspace: Workspace = openWorkspaceIn(folder, extensionPath, {
    ...inThreads(extensionPath, folder),
    humanLogin: () => humanLogin(workspace),
  });
  return workspace;
}

export function openWorkspaceIn(
  folder: string,
  extensionPath: string,
  more: Partial<
    Pick<WorkspaceOptions, 'home' | 'env' | 'managedFolder' | 'saveBeside' | 'baselinesBeside' | 'humanLogin'>
  >,
): Workspace {
  return openWorkspace({
    ...thisMachine(process, os.homedir()),
    folder,
    wasm: () => fs.readFileSync(path.join(extensionPath, 'dist', 'sql-wasm.wasm.br')),
    mayWrite: () => vscode.workspace.isTrusted,
    ...more,
  });
}

/** From this length of a journal on, reading its state twice takes longer than opening the database. Bytes. */
const largeFrom = 1024 * 1024;

/**
 * Opens large stores together with their rows: most windows need them, and reading the state alone first would do the
 * same work twice. One that is shared may wait for its server, so only what is saved is made ready. Then what the
 * window shows comes before all other work.
 */
async function openLarge(folders: readonly OpenFolder[]): Promise<void> {
  const large = byStore(folders).filter(([{ workspace }]) => {
    const { options, location } = workspace;
    return !location.problem && (statOrNull(options.fs, journalPath(location.root))?.size ?? 0) >= largeFrom;
  });
  await Promise.all(
    large.map(([{ workspace }]) => {
      const isShared = isJoined(workspace.options.fs, workspace.stateFile.path);
      return isShared ? workspace.readFirst() : workspace.store();
    }),
  );
}

function byStore(all: readonly OpenFolder[]): (readonly [OpenFolder, ...OpenFolder[]])[] {
  const byRoot = new Map<string, [OpenFolder, ...OpenFolder[]]>();
  for (const folder of all) {
    const same = byRoot.get(folder.workspace.location.root);
    if (same) same.push(folder);
    else byRoot.set(folder.workspace.location.root, [folder]);
  }
  return [...byRoot.values()];
}

// Asks for one of the window's folders.

/** The folder for a form: the only one, or the one the human picks. Decides nothing. */
export async function chooseFolder({ all }: Folders, title: string): Promise<OpenFolder | undefined> {
  if (all.length < 2) return all[0];
  const picked = await vscode.window.showQuickPick(
    all.map((folder) => ({
      label: withoutIcons(folder.name),
      description: withoutIcons(folder.uri.fsPath),
      folder,
    })),
    { title },
  );
  return picked?.folder;
}

// The folder shown in an editor tab: the one chosen on its page, while that folder is open, else the first.

export type FolderChoice = ReturnType<typeof folderChoice>;

/** @param open returns the folders that can be chosen now */
export function folderChoice(open: () => readonly OpenFolder[]) {
  let chosen: OpenFolder | undefined;
  return {
    /** Undefined if no folder is open. */
    shown(): OpenFolder | undefined {
      const all = open();
      return all.find((one) => one === chosen) ?? all[0];
    },
    /** The folders to choose from, if there are several. */
    offer(shown: OpenFolder): ChosenFolder {
      const all = open();
      return {
        folders: all.length > 1 ? all.map((one) => ({ key: keyOf(one), name: one.name })) : [],
        folder: keyOf(shown),
      };
    },
    /** A key from the offered folders; any other selects the first. */
    choose(key: string): void {
      chosen = open().find((one) => keyOf(one) === key);
    },
  };
}

/** Limited to the length of a protocol token. */
function keyOf(folder: OpenFolder): string {
  return folder.uri.toString().slice(-200);
}
