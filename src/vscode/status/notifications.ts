/**
 * Notifications of sync and critical questions when they arrive, escalate, are about to expire or have expired, with
 * reminders according to the policy; of changed held files; of each revision of an RFC that waits for a review; and of
 * requests. Each appears in one window only, few at a time for one agent, and none for visible items. Critical ones
 * stay. Their buttons open the form or snooze it; neither decides.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Interruption, Urgency } from '../../core/kit/words.ts';
import { openAskBack } from '../../core/state/askBack.ts';
import { interruptionOf, interruptionsOf } from '../../core/state/interruptions.ts';
import { isWaiting, type Question, type State } from '../../core/state/state.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Claims } from './claims.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information, urgent } from '../kit/messages.ts';
import { snoozeMs, wanted, type News, type Telling } from './telling.ts';
import {
  changeNotifications,
  noticeWords,
  showMore,
  shownAsker,
  requestNotifications,
  reviewNotifications,
} from './itemNotifications.ts';
import { openNoticeBook, openOutbox, type DueNotice, type Outgoing } from './notices.ts';
import { onScreen } from './toasts.ts';

const stateOf = ({ workspace }: OpenFolder) => workspace.standing().state;

/** Clocks are adjusted and machines sleep, so no timer runs longer. Milliseconds. */
const atLatestMs = 60 * 60_000;
/** Items become due strictly after their time. Milliseconds. */
const afterMs = 50;

export interface NotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly claims: Claims;
  readonly isListInView: () => boolean;
  readonly isQuiet: (urgency: Urgency) => boolean;
}

export function registerNotifications(options: NotificationsOptions): Closable {
  const { folders, telling, claims, isListInView, isQuiet } = options;
  const all = collect();
  const { news, after } = telling;
  let level = wanted();
  const book = openNoticeBook({ wants: (...asked) => isWanted(level, ...asked), isListInView, isQuiet });
  const outbox = openOutbox(telling, claims);
  const show = onScreen();
  const others = otherNotices(options, show);
  const looks = all.add(whenDue(look));

  /** @returns after how many milliseconds something else becomes due */
  function look(): number[] {
    const waits: number[] = [];
    level = wanted();
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const now = folder.workspace.now();
      const due = book.due(state, now).map((notice) => newsOf(folder, state, notice));
      outbox.add(id, [...due, ...others(folder, state)]);
      const { digestMinutes: minutes } = interruptionsOf(state.policy);
      for (const next of [outbox.look(id, { minutes, now }), book.next(state, now)])
        if (next !== null) waits.push(Date.parse(next) - Date.parse(now));
    }
    return waits;
  }

  function newsOf(folder: OpenFolder, state: State, notice: DueNotice): Outgoing {
    const { name, quiet, at } = notice;
    return {
      ...questionNews(folder, state, notice),
      claim: `${state.workspace?.id ?? ''}-${name}`,
      at,
      howNow: () => (quiet ? 'silent' : howNow(folder, notice)),
    };
  }

  function questionNews(folder: OpenFolder, state: State, { id, kind }: Pick<QuestionNotice, 'id' | 'kind'>): News {
    const question = state.questions.get(id);
    return {
      kind: 'question',
      key: folders.keyOf(folder, id),
      critical: question?.urgency === 'critical',
      claim: null,
      from: fromOf(state, question),
      isCurrent: () => isDue(stateOf(folder)?.questions.get(id), kind),
      tell: () => tellQuestion(folder, { id, kind }),
    };
  }

  async function tellQuestion(folder: OpenFolder, { id, kind }: Pick<QuestionNotice, 'id' | 'kind'>): Promise<void> {
    const { state } = folder.workspace.standing();
    const question = state?.questions.get(id);
    if (!state || !question || !isDue(question, kind)) return;
    const key = folders.keyOf(folder, id);
    const open = isWaiting(question) ? l10n.t('Answer') : l10n.t('Show');
    const later = l10n.t('Later');
    const buttons = isWaiting(question) ? [open, later] : [open];
    const text = noticeWords(state, shownAsker(question, folder), kind, folder.workspace.now());
    const picked = await show({
      agent: question.asker.id,
      item: key,
      show: () => (question.urgency === 'critical' ? urgent : information)(text, ...buttons),
      showMore: () => showMore(shownAsker(question, folder).asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openForm, key);
    if (picked !== later) return;
    book.putOff(state, id, new Date(Date.parse(folder.workspace.now()) + snoozeMs).toISOString());
    after(snoozeMs, () => {
      news([questionNews(folder, state, { id, kind: 'reminder' })]);
    });
  }

  all.add(folders.onDidChange(looks.now));
  return all;
}

/** Looks when its caller asks, and when something becomes due by time alone. */
function whenDue(look: () => readonly number[]): Closable & { now(): void } {
  let timer: NodeJS.Timeout | undefined;
  const now = () => {
    const waits = look();
    clearTimeout(timer);
    if (waits.length > 0) timer = setTimeout(now, Math.min(atLatestMs, ...waits) + afterMs);
  };
  return {
    now,
    dispose() {
      clearTimeout(timer);
    },
  };
}

/** Of all else than questions. */
function otherNotices(
  { context, folders, telling, claims }: NotificationsOptions,
  show: ReturnType<typeof onScreen>,
): (folder: OpenFolder, state: State) => Outgoing[] {
  const reviews = reviewNotifications({ context, folders, telling, claims, show });
  const requests = requestNotifications({ context, folders, telling, claims });
  const changes = changeNotifications({ folders, show });
  return (folder, state) => [...changes(folder, state), ...reviews.due(folder, state), ...requests.due(folder, state)];
}

/** What is gone needs no notification. */
function howNow(folder: OpenFolder, { id }: DueNotice): Interruption {
  const state = stateOf(folder);
  const question = state?.questions.get(id);
  return state && question ? interruptionOf(state, question) : 'silent';
}

function fromOf(state: State, question: Question | undefined): News['from'] {
  if (!question) return undefined;
  const workflow = state.work.get(question.work ?? '')?.workflow ?? null;
  return {
    agent: question.asker.id,
    workflow: workflow === null ? null : (state.work.get(workflow)?.title ?? workflow),
  };
}

/** Undecided; and a human's turn, unless it is about time. */
function isDue(question: Question | undefined, kind: QuestionNotice['kind']): boolean {
  if (question?.resolution !== null) return false;
  const isTimed = kind === 'escalated' || kind === 'expiring' || kind === 'expired';
  return isTimed || openAskBack(question) === null;
}

function isWanted(level: string, state: State, question: Question): boolean {
  if (level === 'off') return false;
  const asked = question.mode === 'sync' || isMarkedByAuthor(state, question);
  return question.urgency === 'critical' || (asked && level === 'all');
}

function isMarkedByAuthor({ rfcs }: State, { facts }: Question): boolean {
  return facts.rfc !== null && rfcs.get(facts.rfc)?.review.stage === null;
}
