/**
 * Items that wait in folders that this window does not show, which the overview lists. They are only read, one in each
 * turn. Nothing is answered from here: an item opens in a window of its own folder.
 */
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import {
  byUrgency,
  inboxCount,
  openInbox,
  type Besides,
  type InboxWorkspace,
  hideFolders,
} from '../../app/waiting/inbox.ts';
import { writeOpenNote } from '../../app/waiting/openNote.ts';
import { userFolder, storesFolder } from '../../store/journal/stateFile.ts';
import { collect, inTurn } from '../../ui/kit/timing.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchFolder } from '../../store/journal/journalFile.ts';

/** A line for the status bar's hover; empty when nothing is waiting elsewhere. */
export function othersLine({ all }: Pick<OtherFolders, 'all'>): string[] {
  const count = inboxCount(all);
  return count === 0 ? [] : [l10n.t('{0} waiting in other folders', count)];
}

export type OtherFolders = ReturnType<typeof followOtherFolders>;

/** Every program that writes to a store soon renews its state file; the rest is found by polling. Milliseconds. */
const pollMs = 30_000;
/** Groups the changes of busy agents, and lets the window's own folders come first. Milliseconds. */
const delayMs = 1_000;

export function followOtherFolders(folders: Folders) {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  // Not at the editor's start, which waits for no other file of ours.
  const machine = () => thisMachine(process, os.homedir());
  let inbox: ReturnType<typeof openInbox> | null = null;
  let known: readonly InboxWorkspace[] = [];
  let closed = false;
  /** Something may have changed while no one could see it. */
  let stale = false;
  let timer: NodeJS.Timeout | null = null;

  const refresh = inTurn(read);

  async function read(): Promise<void> {
    stale = false;
    inbox ??= openInbox(machine());
    const found: InboxWorkspace[] = [];
    for (const one of inbox.look(inWindow(folders))) {
      found.push(one);
      await nextTurn();
      if (closed) return;
    }
    const shown = found.filter(({ state, items }) => state !== 'readable' || items.length > 0).sort(byUrgency);
    if (JSON.stringify(shown) === JSON.stringify(known)) return;
    known = shown;
    changed.fire();
  }

  function soon(): void {
    if (closed) return;
    stale = true;
    if (!vscode.window.state.focused) return;
    timer ??= setTimeout(() => {
      timer = null;
      void refresh();
    }, delayMs);
  }

  void folders.opened.then(() => {
    if (closed) return;
    const stop = watchFolder(storesFolder(userFolder(machine())), soon, pollMs);
    all.add({ dispose: stop });
    timer ??= setTimeout(() => {
      timer = null;
      void refresh();
    }, delayMs);
  });
  all.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && stale) soon();
    }),
  );
  all.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void refresh()));
  return {
    /** Folders with waiting items, UNKNOWN ones and missing ones, most pressing first. */
    get all() {
      return known;
    },
    onDidChange: changed.event,
    /** Reads again what has changed. */
    refresh,
    /** Opens a listed folder in its own window, at an item of it. */
    async open(root: string, id: string | null): Promise<void> {
      const workspace = known.find(({ folder }) => folder === root);
      if (!workspace || workspace.state === 'missing') return;
      const item = workspace.items.find((one) => one.id === id);
      const folder = item?.folder ?? root;
      if (item || workspace.state === 'unknown')
        writeOpenNote(machine(), userFolder(machine()), { folder, id: item?.id ?? null });
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
    },
    /** Removes a missing folder from the list. */
    async remove(root: string): Promise<void> {
      if (!known.some(({ folder, state }) => state === 'missing' && folder === root)) return;
      hideFolders(machine(), userFolder(machine()), [root]);
      await refresh();
    },
    dispose() {
      closed = true;
      if (timer) clearTimeout(timer);
      all.dispose();
    },
  };
}

function inWindow({ stores }: Folders): Besides[] {
  return stores.map(([{ workspace }]) => ({
    root: workspace.location.root,
    workspace: workspace.standing().state?.workspace?.id ?? null,
  }));
}
