/**
 * Notifications of what `notices.ts` finds. Each appears in one window only, few at a time for one agent, and none for
 * visible items. Critical ones stay. Their buttons open the item or snooze it; neither decides.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Urgency } from '../../core/kit/words.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information, urgent, warning } from '../kit/messages.ts';
import { nextNoticeTime, noticesIn, openSeen, type Notice } from './notices.ts';
import { snoozeMs, type News, type Telling } from './telling.ts';
import { onScreen } from './toasts.ts';

/** Clocks are adjusted and machines sleep, so no timer runs longer. Milliseconds. */
const atLatestMs = 60 * 60_000;
/** Items become due strictly after their time. Milliseconds. */
const afterMs = 50;

export interface NotificationsOptions {
  readonly folders: Folders;
  readonly telling: Telling;
  readonly isListInView: () => boolean;
  /** Whether reminders of this urgency wait for the end of quiet hours. */
  readonly isQuiet: (urgency: Urgency) => boolean;
}

export function registerNotifications({ folders, telling, isListInView, isQuiet }: NotificationsOptions): Closable {
  const all = collect();
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
      ...{ agent, item: notice.isChange ? `${key} changes` : key },
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
