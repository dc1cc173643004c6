/** Notifications of changed held files, of reviews and of requests, and the words of all. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRfc } from '../../core/hold/holds.ts';
import { shownLine, firstLine } from '../../core/kit/text.ts';
import { raisedOf, isWaiting, type State, type Question } from '../../core/state/state.ts';
import { heldChangeNotices, type HeldChangeNotice } from '../../core/waiting/heldChangeNotices.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { urgent, information, warning } from '../kit/messages.ts';
import { wanted, snoozeMs, type News, type Telling } from './telling.ts';
import type { onScreen } from './toasts.ts';
import type { Outgoing } from './notices.ts';
import { cascade, reachesNothing } from '../../core/hold/cascade.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Interruption } from '../../core/kit/words.ts';
import { reviewInterruption, requestInterruption } from '../../core/state/interruptions.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { Claims } from './claims.ts';
import { requestDetails } from '../../app/request/views.ts';
import { isHumansTurn, slaDue } from '../../core/request/request.ts';
import { humanNoticeOf, type HumanNotice } from '../../core/request/humanNotice.ts';
import type { OpenRequest } from '../../core/state/request.ts';
import { personOf, shortAgent, shownAgent } from '../../core/kit/persons.ts';
import type { Actor } from '../../core/records/records.ts';
import { plain } from '../../core/kit/plain.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';

export interface ChangeNotificationsOptions {
  readonly folders: Folders;
  readonly show: ReturnType<typeof onScreen>;
}

/** @returns a function for the notices that this window has not seen before */
export function changeNotifications({ folders, show }: ChangeNotificationsOptions) {
  const seen = new Set<string>();

  async function tell(folder: OpenFolder, { holder, files }: HeldChangeNotice): Promise<void> {
    const key = folders.keyOf(folder, holder.id);
    const open = l10n.t('Show');
    const picked = await show({
      agent: holder.asker.id,
      item: `${key} changes`,
      show: () => urgent(changeWords(holder.id, files), open),
      showMore: () => showMore(shownAsker(holder, folder).asker.id),
    });
    if (picked === open)
      await vscode.commands.executeCommand(isRfc(holder) ? ids.commands.openRfc : ids.commands.openForm, key);
  }

  return (folder: OpenFolder, state: State): Outgoing[] => {
    const workspace = state.workspace?.id ?? '';
    return heldChangeNotices(state).flatMap((notice): Outgoing[] => {
      const { holder, name, at } = notice;
      const claim = `${workspace}-${name}`;
      if (seen.has(claim)) return [];
      seen.add(claim);
      if (wanted() === 'off') return [];
      const now = () => {
        const { state: current } = folder.workspace.standing();
        return current ? heldChangeNotices(current).find((one) => one.name === name) : undefined;
      };
      return [
        {
          ...{
            kind: isRfc(holder) ? 'rfc' : 'question',
            key: folders.keyOf(folder, holder.id),
            critical: true,
            isChange: true,
            claim,
            at,
          },
          isCurrent: () => now() !== undefined,
          howNow: () => now()?.how ?? 'silent',
          tell: () => tell(folder, now() ?? notice),
        },
      ];
    });
  };
}

/** "src/login.ts was changed during “npm run fmt”, while Q-12 held it." Agents named the files. */
function changeWords(id: string, { changes, lost }: HeldChangeNotice['files']): string {
  const [first, ...more] = changes;
  if (!first || lost) return l10n.t('Files that {0} holds were changed. Holdpoint can’t tell which.', id);
  const path = shownLine(first.path);
  if (more.length > 0)
    return l10n.t('{0} files that {1} holds were changed, {2} among them.', changes.length, id, path);
  return first.call === null
    ? l10n.t('{0} was changed while {1} held it.', path, id)
    : l10n.t('{0} was changed during “{2}”, while {1} held it.', path, id, shownLine(first.call));
}

// Notifications of each revision of an RFC that waits for a review, by the policy on interruptions.

const reviewsName = 'holdpoint.notifiedReviews';
/** Maximum number of remembered reviews; the oldest are forgotten first. */
const reviewsAtMost = 200;

export interface ReviewNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly claims: Claims;
  readonly show: ReturnType<typeof onScreen>;
}

export interface ReviewNotifications {
  /** Those that this window has not returned before. */
  due(folder: OpenFolder, state: State): readonly Outgoing[];
}

export function reviewNotifications({
  context,
  folders,
  telling,
  claims,
  show,
}: ReviewNotificationsOptions): ReviewNotifications {
  const { news, after } = telling;

  const returned = new Set<string>();

  function review(folder: OpenFolder, state: State, rfc: Rfc): Outgoing[] {
    const { number, at } = latestRevision(rfc);
    const claim = `${state.workspace?.id ?? ''}-${rfc.id}-${String(number)}`;
    const notified = context.workspaceState.get<readonly string[]>(reviewsName, []);
    if (notified.includes(claim)) return [];
    if (wanted() !== 'all' || claims.isTaken(claim)) {
      void context.workspaceState.update(reviewsName, [...notified, claim].slice(-reviewsAtMost));
      return [];
    }
    if (returned.has(claim)) return [];
    returned.add(claim);
    return [{ ...newsOf(folder, rfc.id), claim, at, howNow: () => reviewHowNow(folder, rfc.id) }];
  }

  function newsOf(folder: OpenFolder, id: string): News {
    const isCurrent = () => {
      const rfc = folder.workspace.standing().state?.rfcs.get(id);
      return rfc !== undefined && isRfcWaiting(rfc);
    };
    const key = folders.keyOf(folder, id);
    return { kind: 'rfc', key, critical: false, claim: null, isCurrent, tell: () => tell(folder, id) };
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const rfc = state?.rfcs.get(id);
    if (!state || !rfc || !isRfcWaiting(rfc)) return;
    const open = l10n.t('Review');
    const later = l10n.t('Later');
    const picked = await show({
      agent: rfc.asker.id,
      item: folders.keyOf(folder, id),
      show: () => information(reviewWords(state, shownAsker(rfc, folder)), open, later),
      showMore: () => showMore(shownAsker(rfc, folder).asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, folders.keyOf(folder, id));
    if (picked === later)
      after(snoozeMs, () => {
        news([newsOf(folder, id)]);
      });
  }

  return {
    due: (folder, state) =>
      [...state.rfcs.values()].flatMap((rfc) => (isForHumanNow(state, rfc) ? review(folder, state, rfc) : [])),
  };
}

function reviewHowNow({ workspace }: OpenFolder, id: string): Interruption {
  const { state } = workspace.standing();
  const rfc = state?.rfcs.get(id);
  return state && rfc ? reviewInterruption(state, rfc) : 'silent';
}

function reviewWords(state: State, rfc: Rfc): string {
  const { open } = isHoldingRfc(rfc) ? cascade(state, rfc) : reachesNothing;
  const asks = l10n.t('{0} requests a review: {1}', rfc.asker.id, shownLine(rfc.title));
  return [withHeld(asks, open.length), ...reviewedWords(state, rfc)].join(' ');
}

/** The questions that a language model left open, if it has reviewed this revision. */
function reviewedWords(state: State, rfc: Rfc): string[] {
  if (rfc.review.stage !== 'awaiting_human') return [];
  const states = rfc.questions.map((question) => questionState(state, question));
  const left = states.filter((one) => one === 'human_required').length + unansweredQuestions(state, rfc).length;
  const answered = states.filter((one) => one === 'ai_answered').length;
  return [l10n.t('A language model answered {0} of its open questions and left {1} for you.', answered, left)];
}

// One notification for each new request to a human, and for each missed deadline of a request to or from one; in one
// window only. Its buttons open the request or put it off, and decide nothing.

const notifiedName = 'holdpoint.notifiedBreaches';
/** Maximum number of remembered notifications; the oldest are forgotten first. */
const notifiedAtMost = 2_000;

export interface RequestNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly claims: Claims;
}

/** A notification, when it became due (ISO 8601), and how it interrupts by the policy as it is now. */
interface Due extends News {
  readonly claim: string;
  readonly at: string;
  readonly howNow: () => Interruption;
}

export interface RequestNotifications {
  /** Those that this window has not returned before. */
  due(folder: OpenFolder, state: State): readonly Due[];
}

export function requestNotifications({
  context,
  folders,
  telling,
  claims,
}: RequestNotificationsOptions): RequestNotifications {
  const returned = new Set<string>();
  let notified = new Set(context.workspaceState.get<readonly string[]>(notifiedName, []));

  function due(folder: OpenFolder, state: State): Due[] {
    const ended: string[] = [];
    const fresh = [...state.requests.values()].flatMap((request): Due[] => {
      const notice = humanNoticeOf(state, request);
      const claim = `${state.workspace?.id ?? ''}-${notice?.name ?? ''}`;
      if (notice === null || notified.has(claim)) return [];
      if (wanted() !== 'all' || claims.isTaken(claim)) ended.push(claim);
      else if (!returned.has(claim)) {
        returned.add(claim);
        const at = (notice.kind === 'new' ? undefined : slaDue(request)?.at) ?? request.availableAt;
        return [
          { ...newsOf(folder, request.id, notice), claim, at, howNow: () => requestHowNow(folder, request.id, notice) },
        ];
      }
      return [];
    });
    if (ended.length > 0) {
      notified = new Set([...notified, ...ended].slice(-notifiedAtMost));
      void context.workspaceState.update(notifiedName, [...notified]);
    }
    return fresh;
  }

  function newsOf(folder: OpenFolder, id: string, { name }: HumanNotice): News {
    const current = () => {
      const { state } = folder.workspace.standing();
      const request = state?.requests.get(id);
      const notice = state && request ? humanNoticeOf(state, request) : null;
      return notice?.name === name ? notice : null;
    };
    return {
      kind: 'request',
      key: folders.keyOf(folder, id),
      critical: false,
      claim: null,
      isCurrent: () => current() !== null,
      async tell() {
        const notice = current();
        if (notice) await tell(folder, id, notice);
      },
    };
  }

  async function tell(folder: OpenFolder, id: string, notice: HumanNotice): Promise<void> {
    const view = (await folder.workspace.store()).read();
    const request = view.state.requests.get(id);
    if (!request) return;
    const subject = firstLine(requestDetails(view, id)?.subject ?? id);
    const open = l10n.t('Open');
    const later = l10n.t('Later');
    const words = wordsOf(view.state, request, notice.kind, subject);
    const isNew = notice.kind === 'new';
    const picked = await (isNew ? information(words, open, later) : warning(words, open));
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
    if (picked === later)
      telling.after(snoozeMs, () => {
        telling.news([newsOf(folder, id, notice)]);
      });
  }

  return { due };
}

function requestHowNow({ workspace }: OpenFolder, id: string, { kind }: HumanNotice): Interruption {
  const { state } = workspace.standing();
  const request = state?.requests.get(id);
  return state && request ? requestInterruption(state, request, kind !== 'new') : 'silent';
}

function wordsOf(state: State, request: OpenRequest, kind: HumanNotice['kind'], subject: string): string {
  const nameOf = (id: string) => state.responsibilities.get(id)?.name ?? id;
  const target = nameOf(request.target);
  if (kind === 'new') return l10n.t('{0} has a request for {1}: {2}', nameOf(request.origin), target, subject);
  if (isHumansTurn(state, request))
    return kind === 'response'
      ? l10n.t('{0} is overdue for an answer from {1}: {2}', nameOf(request.origin), target, subject)
      : l10n.t('{0} is overdue with {1}: {2}', target, request.id, subject);
  return kind === 'response'
    ? l10n.t('{0} has not answered in time: {1}', target, subject)
    : l10n.t('{0} has not finished in time: {1}', target, subject);
}

// The texts of notifications, including the one for an agent's further questions.

/** For texts: its own agents without their person. */
export function shownAsker<T extends { readonly asker: Actor }>(holder: T, { workspace }: OpenFolder): T {
  return { ...holder, asker: { ...holder.asker, id: shownAgent(holder.asker.id, workspace.person()) } };
}

export async function showMore(agent: string): Promise<void> {
  const list = l10n.t('Show');
  if ((await information(l10n.t('{0} has more items for you.', agent), list)) === list)
    await vscode.commands.executeCommand(ids.commands.focus);
}

/** A reminder has the same text as the previous notification, so VS Code closes that one. */
export function noticeWords(state: State, question: Question, kind: QuestionNotice['kind'], now: string): string {
  const asked = words(state, question);
  switch (kind) {
    case 'new':
    case 'reminder':
      return asked;
    case 'escalated':
      return l10n.t('Not answered in time, now critical: {0}', asked);
    case 'replied':
      return replied(question);
    case 'expiring':
      return l10n.t('Expires in {0} min: {1}', minutesUntil(question.expiresAt, now), asked);
    case 'expired':
      return isWaiting(question)
        ? l10n.t('Expired, still held: {0}', asked)
        : l10n.t('Expired without an answer: {0}', asked);
  }
}

/** The agent's reply to a human's follow-up question. */
function replied({ askBacks, asker, id }: Question): string {
  const last = askBacks.findLast(({ reply }) => reply !== null)?.reply;
  return l10n.t(
    '{0} replied about {1}: {2}',
    last ? (personOf(asker.id) === null ? shortAgent(last.by) : last.by) : asker.id,
    id,
    shownLine(plain(last?.text ?? '')),
  );
}

function minutesUntil(at: string, now: string): number {
  return Math.max(1, Math.round((Date.parse(at) - Date.parse(now)) / 60_000));
}

function words(state: State, question: Question): string {
  const held = cascade(state, question).open.length;
  const subject = shownLine(plain(raisedOf(state, question).text));
  const stopped =
    question.mode === 'sync'
      ? l10n.t('{0} stopped: {1}', question.asker.id, subject)
      : l10n.t('{0} asks: {1}', question.asker.id, subject);
  return question.mode === 'async' ? stopped : withHeld(stopped, held);
}

export function withHeld(text: string, held: number): string {
  if (held === 0) return text;
  return held === 1 ? l10n.t('{0} Holds 1 item.', text) : l10n.t('{0} Holds {1} items.', text, held);
}
