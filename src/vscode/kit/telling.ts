/** Notifications: what several windows could tell is told by one, and the window in front gets to be first. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Closable } from './disposables.ts';
import { ids } from './ids.ts';

/** One notification. */
export interface News {
  /** Names it for all windows; a file name. */
  readonly claim: string;
  readonly tell: () => Promise<void>;
}

export interface Telling extends Closable {
  /** Tells what no other window tells; together where there are more than a few, if it says how. */
  news(all: readonly News[], together?: (count: number) => Promise<void>): void;
  /** Runs then, unless the window is closed before. */
  after(ms: number, run: () => void): void;
}

/** A window in the background gives the focused one this long to be first. */
const backgroundDelayMs = 1_000;
/** More at once are told together. */
const singlyAtMost = 3;

export function telling(context: vscode.ExtensionContext): Telling {
  const timers = new Set<NodeJS.Timeout>();
  const claims = path.join(context.globalStorageUri.fsPath, 'notified');

  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }

  return {
    after,
    news(all, together) {
      after(vscode.window.state.focused ? 0 : backgroundDelayMs, () => {
        const ours = all.filter(({ claim }) => isFirst(claims, claim));
        if (together && ours.length > singlyAtMost) void together(ours.length);
        else for (const { tell } of ours) void tell();
      });
    },
    dispose() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The first of several windows to make the file tells the human. */
function isFirst(folder: string, claim: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.closeSync(fs.openSync(path.join(folder, claim), 'wx'));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}

/** What the human wants to be told of: all, what is critical, or nothing. */
export function wanted(): string {
  return vscode.workspace.getConfiguration().get<string>(ids.settings.notifications, 'all');
}
