/**
 * Notifications of what `notices.ts` finds. Each appears in one window only, few at a time for one agent, and none for
 * visible items. Critical ones stay. Their buttons open the item or snooze it; neither decides.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Urgency } from '../../core/kit/words.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information, urgent, warning } from '../kit/messages.ts';
import {
  nextNoticeTime,
  noticesIn,
  openSeen,
  type Notice,
  onScreen,
  countsOf,
  gathering,
  toastsOf,
  unseenItems,
  type Noticed,
} from './notices.ts';
import type { Claims } from './claims.ts';

/** Clocks are adjusted and machines sleep, so no timer runs longer. Milliseconds. */
const atLatestMs = 60 * 60_000;
/** Items become due strictly after their time. Milliseconds. */
const afterMs = 50;

interface NotificationsOptions extends TellingOptions {
  readonly folders: Folders;
  readonly isListInView: () => boolean;
  /** Whether reminders of this urgency wait for the end of quiet hours. */
  readonly isQuiet: (urgency: Urgency) => boolean;
}

export function registerNotifications(options: NotificationsOptions): Closable {
  const { folders, isListInView, isQuiet } = options;
  const all = collect();
  const telling = all.add(openTelling(options));
  const show = onScreen();
  const fresh = openSeen();
  /** Keys of questions that a human snoozed, and until when (ISO 8601). */
  const putOff = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const waits: number[] = [];
    const level = vscode.workspace.getConfiguration().get<string>(ids.settings.notifications, 'all');
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const now = folder.workspace.now();
      const isPutOff = (question: string) => (putOff.get(folders.keyOf(folder, question)) ?? '') > now;
      const due = noticesIn(folder, state, {
        ...{ level, now },
        isNeeded: (one) => !isListInView() && !isQuiet(one.urgency) && !isPutOff(one.id),
      });
      telling.news(fresh(id, due).map((notice) => newsOf(folder, notice, `${id}-${notice.name}`)));
      const next = nextNoticeTime(state, now);
      if (next !== null) waits.push(Date.parse(next) - Date.parse(now));
    }
    clearTimeout(timer);
    if (waits.length > 0) timer = setTimeout(look, Math.min(atLatestMs, ...waits) + afterMs);
  }

  /** A silent one is claimed too, so that it does not come once the policy changes. */
  function newsOf(folder: OpenFolder, notice: Notice, claim: string | null): News {
    const { how, isCurrent } = notice;
    return {
      ...{ ...notice, key: folders.keyOf(folder, notice.id), claim },
      isCurrent: () => how === 'now' && isCurrent(),
      tell: () => tell(folder, notice),
    };
  }

  async function tell(folder: OpenFolder, notice: Notice): Promise<void> {
    const words = await notice.words();
    if (!words) return;
    const { agent, text, open, command } = words;
    const key = folders.keyOf(folder, notice.id);
    const later = l10n.t('Later');
    const picked = await show({
      ...{ agent, item: notice.isChange ? `${key} changes` : key, isCurrent: notice.isCurrent },
      show: () => ({ urgent, warning, information })[words.tone](text, open, ...(words.later ? [later] : [])),
      showMore: () => showMore(agent),
    });
    if (picked === open) await vscode.commands.executeCommand(command, key);
    if (picked !== later) return;
    putOff.set(key, new Date(Date.parse(folder.workspace.now()) + snoozeMs).toISOString());
    telling.after(snoozeMs, () => {
      telling.news([newsOf(folder, notice, null)]);
    });
  }

  all.add(folders.onDidChange(look));
  all.add({
    dispose() {
      clearTimeout(timer);
    },
  });
  return all;
}

async function showMore(agent: string): Promise<void> {
  const list = l10n.t('Show');
  if ((await information(l10n.t('{0} has more items for you.', agent), list)) === list)
    await vscode.commands.executeCommand(ids.commands.focus);
}

// Notifications: each in one window, preferably the focused one; few together, and none for visible items.

export interface News extends Noticed {
  /** Unique across windows. Null if only this window shows it. */
  readonly claim: string | null;
  /** Whether the notification is still relevant. */
  readonly isCurrent: () => boolean;
  readonly from?: Notice['from'];
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

/** How long "Later" puts a notification off. */
export const snoozeMs = 10 * 60_000;
/** Head start of the focused window. Milliseconds. */
const backgroundDelayMs = 1_000;
/** Questions that an agent asks one after another are one notification. Milliseconds. */
const burstMs = 1_500;

interface TellingOptions {
  readonly screen: Screen;
  readonly claims: Claims;
  /** Whether the person asked not to be disturbed. */
  readonly isSilent: () => boolean;
}

function openTelling({ screen, claims, isSilent }: TellingOptions) {
  const all = collect();
  const timers = new Set<NodeJS.Timeout>();
  /** Run once no review is in front. */
  let deferred: (() => void)[] = [];
  let open = 0;

  /** Runs later, unless the window is closed first. */
  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }

  function inTurn(run: () => void): void {
    if (vscode.window.state.focused) run();
    else after(backgroundDelayMs, run);
  }

  async function give(ours: readonly News[]): Promise<void> {
    if (isSilent()) return;
    if (screen.isReviewing()) {
      deferred.push(() => void give(ours));
      return;
    }
    const listed = await screen.listed();
    const current = ours.filter((one) => one.isCurrent());
    const fresh = unseenItems([...new Map(current.map((one) => [one.key, one])).values()], {
      isShown: screen.isShown,
      listed,
    });
    const { singly, together } = toastsOf(fresh);
    if (together.length > 0) void shown(tellTogether(together));
    for (const { tell } of singly) void shown(tell());
  }

  async function shown(toast: Promise<void>): Promise<void> {
    open++;
    await toast.finally(() => {
      open--;
    });
  }

  function gather(quietMs?: number): (all: readonly News[]) => void {
    return gathering<News>({
      ...{ after, quietMs },
      flush(gathered) {
        inTurn(() => void give(claims.takeAll(gathered)));
      },
    });
  }

  all.add(
    screen.onDidChangeReviewing(() => {
      if (!screen.isReviewing()) {
        const now = deferred;
        deferred = [];
        for (const run of now) run();
      } else if (open > 0) void vscode.commands.executeCommand('notifications.hideToasts');
    }),
  );
  const [pressing, others] = [gather(), gather(burstMs)];
  return {
    after,
    /** Shows notifications that no other window has claimed, once the human can see them. */
    news(some: readonly News[]): void {
      pressing(some.filter((one) => one.critical));
      others(some.filter((one) => !one.critical));
    },
    dispose() {
      all.dispose();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** One notification for many items, with the number of each kind. */
async function tellTogether(all: readonly News[]): Promise<void> {
  const show = l10n.t('Show');
  const text = burstOf(all) ?? l10n.t('Needs your attention: {0}', kindsOf(all).join(', '));
  const { critical } = countsOf(all);
  const words = critical === 0 ? text : l10n.t('{0} ({1} critical)', text, critical);
  const picked = await (all.some((one) => one.critical) ? urgent(words, show) : information(words, show));
  if (picked === show) await openNews(all);
}

/** The first of them in the list, and its form. */
async function openNews(all: readonly News[]): Promise<void> {
  if (all.every(({ kind }) => kind === 'warning')) {
    await vscode.commands.executeCommand(ids.commands.showBriefing);
    return;
  }
  await vscode.commands.executeCommand(ids.commands.focus);
  const first = all.find((one) => one.critical) ?? all[0];
  if (first?.kind === 'question') await vscode.commands.executeCommand(ids.commands.openForm, first.key);
}

/** Questions of one agent, or about one workflow; null for others. */
function burstOf(all: readonly News[]): string | null {
  const [first] = all;
  const from = first?.from;
  if (!from || countsOf(all).question < all.length) return null;
  const count = countOf('question', all.length);
  if (all.every((one) => one.from?.agent === from.agent)) return l10n.t('{0} from {1}', count, from.agent);
  const { workflow } = from;
  return workflow !== null && all.every((one) => one.from?.workflow === workflow)
    ? l10n.t('{0} about {1}', count, workflow)
    : null;
}

const kinds = ['question', 'rfc', 'request', 'warning', 'change'] as const;

function kindsOf(all: readonly News[]): string[] {
  const counts = countsOf(all);
  return kinds.flatMap((kind) => (counts[kind] === 0 ? [] : [countOf(kind, counts[kind])]));
}

function countOf(kind: (typeof kinds)[number], count: number): string {
  switch (kind) {
    case 'question':
      return count === 1 ? l10n.t('1 question') : l10n.t('{0} questions', count);
    case 'rfc':
      return count === 1 ? l10n.t('1 RFC') : l10n.t('{0} RFCs', count);
    case 'request':
      return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count);
    case 'warning':
      return count === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', count);
    case 'change':
      return count === 1 ? l10n.t('changed files of 1 held item') : l10n.t('changed files of {0} held items', count);
  }
}
