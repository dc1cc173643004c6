/**
 * Notifications of sync and critical questions as they come, escalate, are about to expire and have expired, with reminders
 * as the policy says, and of each revision of an RFC that waits for a review; each in one window only, and few at a time of
 * one agent. Their buttons open the form or put it off; neither decides.
 */
import * as vscode from 'vscode';
import { cascade } from '../../core/hold/holds.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Question, State } from '../../core/state/state.ts';
import { shownLine } from '../../core/kit/text.ts';
import { nextNoticeTime } from '../../core/waiting/reminders.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information } from '../kit/messages.ts';
import { telling, wanted } from '../kit/telling.ts';
import { openNoticeBook } from './noticeBook.ts';
import { onScreen } from './onScreen.ts';

const reviewsName = 'holdpoint.notifiedReviews';
/** Maximum number of remembered reviews; the oldest are forgotten first. */
const reviewsAtMost = 200;
const snoozeMs = 10 * 60_000;

/** Clocks are set and machines sleep: no timer runs longer. */
const atLatestMs = 60 * 60_000;
/** Nothing is due before its time. */
const afterMs = 50;

export function registerNotifications(
  context: vscode.ExtensionContext,
  folders: Folders,
  isListInView: () => boolean,
): Closable {
  const all = collect();
  const { news, after } = all.add(telling(context));
  const book = openNoticeBook({ wants: isWanted, isListInView });
  const show = onScreen();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const waits: number[] = [];
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      for (const rfc of state.rfcs.values()) if (isForHumanNow(state, rfc)) review(folder, id, rfc);
      const now = folder.workspace.now();
      for (const notice of book.due(state, now)) {
        const claim = (name: string) => `${id}-${name}`;
        const { name, follows, quiet } = notice;
        const tell = () => (quiet ? Promise.resolve() : tellQuestion(folder, notice));
        news([{ claim: claim(name), follows: follows === null ? undefined : claim(follows), tell }]);
      }
      const next = nextNoticeTime(state, now);
      if (next !== null) waits.push(Date.parse(next) - Date.parse(now));
    }
    clearTimeout(timer);
    if (waits.length > 0) timer = setTimeout(look, Math.min(atLatestMs, ...waits) + afterMs);
  }

  /** Notifies of a revision that waits for a human. */
  function review(folder: OpenFolder, workspace: string, rfc: Rfc): void {
    const claim = `${workspace}-${rfc.id}-${String(latestRevision(rfc).number)}`;
    const told = context.workspaceState.get<readonly string[]>(reviewsName, []);
    if (told.includes(claim)) return;
    void context.workspaceState.update(reviewsName, [...told, claim].slice(-reviewsAtMost));
    if (wanted() === 'all') news([{ claim, tell: () => tellReview(folder, rfc.id) }]);
  }

  async function tellReview(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const rfc = state?.rfcs.get(id);
    if (!state || !rfc || !isRfcWaiting(rfc)) return;
    const open = vscode.l10n.t('Review');
    const later = vscode.l10n.t('Later');
    const picked = await show({
      agent: rfc.asker.id,
      item: folders.keyOf(folder, id),
      show: () => information(reviewWords(state, rfc), open, later),
      showMore: () => showMore(rfc.asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, folders.keyOf(folder, id));
    if (picked === later) after(snoozeMs, () => void tellReview(folder, id));
  }

  async function tellQuestion(folder: OpenFolder, { id, kind }: Pick<QuestionNotice, 'id' | 'kind'>): Promise<void> {
    const { state } = folder.workspace.standing();
    const question = state?.questions.get(id);
    if (!state || question?.resolution !== null) return;
    const key = folders.keyOf(folder, id);
    const open = isWaiting(question) ? vscode.l10n.t('Answer') : vscode.l10n.t('Show');
    const later = vscode.l10n.t('Later');
    const buttons = isWaiting(question) ? [open, later] : [open];
    const text = noticeWords(state, question, kind, folder.workspace.now());
    const picked = await show({
      agent: question.asker.id,
      item: key,
      show: () => information(text, ...buttons),
      showMore: () => showMore(question.asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openForm, key);
    if (picked !== later) return;
    book.putOff(state, id, new Date(Date.parse(folder.workspace.now()) + snoozeMs).toISOString());
    after(snoozeMs, () => void tellQuestion(folder, { id, kind: 'reminder' }));
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
  const list = vscode.l10n.t('Show');
  if ((await information(vscode.l10n.t('{0} has more questions.', agent), list)) === list)
    await vscode.commands.executeCommand(ids.commands.focus);
}

function isWanted(state: State, question: Question): boolean {
  const told = wanted();
  if (told === 'off') return false;
  const asked = question.mode === 'sync' || isMarkedByAuthor(state, question);
  return question.urgency === 'critical' || (asked && told === 'all');
}

/** An open question of an RFC that its author leaves to a human. Those a reviewer leaves come with its review. */
function isMarkedByAuthor({ rfcs }: State, { raised }: Question): boolean {
  return raised.rfc !== undefined && rfcs.get(raised.rfc.id)?.review.stage === null;
}

function reviewWords(state: State, rfc: Rfc): string {
  const { direct, dependants } = isHoldingRfc(rfc) ? cascade(state, rfc) : { direct: [], dependants: [] };
  const asks = vscode.l10n.t('{0} requests a review: {1}', rfc.asker.id, shownLine(rfc.title));
  return [withHeld(asks, direct.length + dependants.length), ...reviewedWords(state, rfc)].join(' ');
}

/** What a language model left open, where it has reviewed this revision. */
function reviewedWords(state: State, rfc: Rfc): string[] {
  if (rfc.review.stage !== 'awaiting_human') return [];
  const states = rfc.questions.map((question) => questionState(state, question));
  const left = states.filter((one) => one === 'human_required').length + unansweredQuestions(state, rfc).length;
  const answered = states.filter((one) => one === 'ai_answered').length;
  return [vscode.l10n.t('A language model answered {0} of its open questions; {1} are left for you.', answered, left)];
}

/** A reminder says the same as the notification before, which VS Code then closes. */
function noticeWords(state: State, question: Question, kind: QuestionNotice['kind'], now: string): string {
  const asked = words(state, question);
  switch (kind) {
    case 'new':
    case 'reminder':
      return asked;
    case 'escalated':
      return vscode.l10n.t('Not answered in time, now critical: {0}', asked);
    case 'expiring':
      return vscode.l10n.t('Expires in {0} min: {1}', minutesUntil(question.expiresAt, now), asked);
    case 'expired':
      return isWaiting(question)
        ? vscode.l10n.t('Expired, still held: {0}', asked)
        : vscode.l10n.t('Expired without an answer: {0}', asked);
  }
}

function minutesUntil(at: string, now: string): number {
  return Math.max(1, Math.round((Date.parse(at) - Date.parse(now)) / 60_000));
}

function words(state: State, question: Question): string {
  const { direct, dependants } = cascade(state, question);
  const held = direct.length + dependants.length;
  const subject = shownLine(question.raised.text);
  const stopped =
    question.mode === 'sync'
      ? vscode.l10n.t('{0} stopped: {1}', question.asker.id, subject)
      : vscode.l10n.t('{0} asks: {1}', question.asker.id, subject);
  return question.mode === 'async' ? stopped : withHeld(stopped, held);
}

function withHeld(text: string, held: number): string {
  if (held === 0) return text;
  return held === 1 ? vscode.l10n.t('{0} Blocks 1 item.', text) : vscode.l10n.t('{0} Blocks {1} items.', text, held);
}
