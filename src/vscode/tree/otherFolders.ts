/** Follows what is waiting in folders that this window does not show. They are only read, one in each turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import os from 'node:os';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { hideFolders } from '../../app/waiting/hiddenFolders.ts';
import { byUrgency, openInbox } from '../../app/waiting/inbox.ts';
import type { Besides, Inbox, InboxWorkspace } from '../../app/waiting/inbox.ts';
import { storesFolder, userFolder } from '../../store/journal/stateFile.ts';
import { watchFolder } from '../../store/journal/watch.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';

export interface OtherFolders extends Closable {
  /** Folders with waiting items, UNKNOWN ones and missing ones, most pressing first. */
  readonly all: readonly InboxWorkspace[];
  readonly onDidChange: vscode.Event<void>;
  /** Reads again what has changed. */
  refresh(): Promise<void>;
  /** Removes missing folders from the list. */
  remove(roots: readonly string[]): Promise<void>;
}

/** Every program that writes to a store soon renews its state file; the rest is found by polling. Milliseconds. */
const pollMs = 30_000;
/** Groups the changes of busy agents, and lets the window's own folders come first. Milliseconds. */
const delayMs = 1_000;

/** @param isVisible whether the list is on the screen */
export function followOtherFolders(folders: Folders, isVisible: () => boolean): OtherFolders {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  // Not at the editor's start, which waits for no other file of ours.
  const machine = () => thisMachine(process, os.homedir());
  let inbox: Inbox | null = null;
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
    if (!vscode.window.state.focused && !isVisible()) return;
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
    get all() {
      return known;
    },
    onDidChange: changed.event,
    refresh,
    async remove(roots) {
      hideFolders(machine(), userFolder(machine()), roots);
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
