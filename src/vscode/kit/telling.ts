/** Notifications shown in one of several windows, preferably the focused one. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Closable } from './disposables.ts';
import { ids } from './ids.ts';

/** One notification. */
export interface News {
  /** Unique across windows; a file name. */
  readonly claim: string;
  /** The claim of the one before, which is not needed any more. */
  readonly follows?: string | undefined;
  readonly tell: () => Promise<void>;
}

export interface Telling extends Closable {
  /** Shows notifications that no other window shows; combined into one if there are many and `together` is given. */
  news(all: readonly News[], together?: (count: number) => Promise<void>): void;
  /** Runs later, unless the window is closed first. */
  after(ms: number, run: () => void): void;
}

/** Head start of the focused window. Milliseconds. */
const backgroundDelayMs = 1_000;
/** More than this at once are combined. */
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
        for (const { follows } of ours) if (follows !== undefined) forget(claims, follows);
        if (together && ours.length > singlyAtMost) void together(ours.length);
        else for (const { tell } of ours) void tell();
      });
    },
    dispose() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Whether this window is first to create the claim file. */
function isFirst(folder: string, claim: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.closeSync(fs.openSync(path.join(folder, claim), 'wx'));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}

function forget(folder: string, claim: string): void {
  try {
    fs.rmSync(path.join(folder, claim), { force: true });
  } catch {
    // An empty file more: nothing depends on it.
  }
}

/** The human's setting: all, critical only, or off. */
export function wanted(): string {
  return vscode.workspace.getConfiguration().get<string>(ids.settings.notifications, 'all');
}
