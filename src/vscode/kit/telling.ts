/** Notifications: each in one window, preferably the focused one; few at once, and none for visible items. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import { ids } from './ids.ts';
import { information, urgent } from './messages.ts';
import { gathering, toastsOf, unseen } from './toasts.ts';
import type { Noticed, NoticeKind } from './toasts.ts';

/** One notification. */
export interface News extends Noticed {
  /** Unique across windows; a file name. Null if only this window shows it. */
  readonly claim: string | null;
  /** The claim of its predecessor, which is obsolete. */
  readonly follows?: string | undefined;
  /** Whether the notification is still relevant. */
  readonly isCurrent: () => boolean;
  /** Shows it; resolves when it has closed. */
  readonly tell: () => Promise<void>;
}

/** The items that the human can see in this window. */
export interface Screen {
  /** Whether its form or review is visible. */
  isShown(key: string): boolean;
  /** Keys of the items in visible views. */
  listed(): Promise<ReadonlySet<string>>;
  /** Whether an RFC's review is in front: notifications would cover its buttons. */
  isReviewing(): boolean;
  readonly onDidChangeReviewing: vscode.Event<void>;
}

export interface Telling extends Closable {
  /** Shows notifications that no other window has claimed, once the human can see them. */
  news(all: readonly News[]): void;
  /** Runs later, unless the window is closed first. */
  after(ms: number, run: () => void): void;
}

/** How long "Later" puts a notification off. */
export const snoozeMs = 10 * 60_000;
/** Head start of the focused window. Milliseconds. */
const backgroundDelayMs = 1_000;

/** @param isSilent whether the person asked not to be disturbed */
export function openTelling(context: vscode.ExtensionContext, screen: Screen, isSilent: () => boolean): Telling {
  const all = collect();
  const timers = new Set<NodeJS.Timeout>();
  const claims = path.join(context.globalStorageUri.fsPath, 'notified');
  /** Shown once no review is in front. */
  let deferred: readonly News[] = [];
  let open = 0;

  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }

  function claim(gathered: readonly News[]): void {
    const ours = gathered.filter((one) => one.claim === null || isFirst(claims, one.claim));
    for (const { follows } of ours) if (follows !== undefined) forget(claims, follows);
    void give(ours);
  }

  async function give(ours: readonly News[]): Promise<void> {
    if (isSilent()) return;
    if (screen.isReviewing()) {
      deferred = [...deferred, ...ours];
      return;
    }
    const listed = await screen.listed();
    const { singly, together } = toastsOf(
      unseen(
        ours.filter((one) => one.isCurrent()),
        { isShown: screen.isShown, listed },
      ),
    );
    if (together.length > 0) void shown(tellTogether(together));
    for (const { tell } of singly) void shown(tell());
  }

  async function shown(toast: Promise<void>): Promise<void> {
    open++;
    await toast.finally(() => {
      open--;
    });
  }

  all.add(
    screen.onDidChangeReviewing(() => {
      if (!screen.isReviewing()) {
        const now = deferred;
        deferred = [];
        if (now.length > 0) void give(now);
      } else if (open > 0) void vscode.commands.executeCommand('notifications.hideToasts');
    }),
  );
  const gather = gathering<News>({
    after,
    flush(gathered) {
      if (vscode.window.state.focused) claim(gathered);
      else
        after(backgroundDelayMs, () => {
          claim(gathered);
        });
    },
  });
  return {
    after,
    news: gather,
    dispose() {
      all.dispose();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** One notification for many items, with the number of each kind. */
async function tellTogether(all: readonly News[]): Promise<void> {
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('Needs your attention: {0}', kindsOf(all).join(', '));
  const critical = all.filter((one) => one.critical).length;
  const words = critical === 0 ? text : vscode.l10n.t('{0} ({1} critical)', text, critical);
  const picked = await (critical === 0 ? information(words, show) : urgent(words, show));
  const isMemory = all.every(({ kind }) => kind === 'warning');
  if (picked === show) await vscode.commands.executeCommand(isMemory ? ids.commands.showBriefing : ids.commands.focus);
}

const kinds = ['question', 'rfc', 'request', 'warning'] as const;

function kindsOf(all: readonly News[]): string[] {
  return kinds.flatMap((kind) => {
    const count = all.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [counted(kind, count)];
  });
}

function counted(kind: NoticeKind, count: number): string {
  switch (kind) {
    case 'question':
      return count === 1 ? vscode.l10n.t('1 question') : vscode.l10n.t('{0} questions', count);
    case 'rfc':
      return count === 1 ? vscode.l10n.t('1 RFC') : vscode.l10n.t('{0} RFCs', count);
    case 'request':
      return count === 1 ? vscode.l10n.t('1 request') : vscode.l10n.t('{0} requests', count);
    case 'warning':
      return count === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', count);
  }
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
    // A leftover empty file is harmless.
  }
}

/** The human's setting: all, critical only, or off. */
export function wanted(): string {
  return vscode.workspace.getConfiguration().get<string>(ids.settings.notifications, 'all');
}
