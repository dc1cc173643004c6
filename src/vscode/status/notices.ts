/** What a human is notified of in one folder: questions, RFCs, requests, warnings, and changes of held files. */
import * as l10n from '@vscode/l10n';
import { eventNamed } from '../../app/memory/events.ts';
import { requestDetails } from '../../app/request/views.ts';
import { cascade, isRfc, reachesNothing } from '../../core/hold/holds.ts';
import { personOf, shortAgent, shownAgent } from '../../core/kit/persons.ts';
import { plainText, firstLine, shownLine } from '../../core/kit/text.ts';
import type { Interruption } from '../../core/kit/words.ts';
import { humanNoticeOf, type HumanNotice } from '../../core/request/due.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import {
  isWaiting,
  raisedOf,
  type Question,
  type State,
  undecidedQuestions,
  openAskBack,
} from '../../core/state/state.ts';
import {
  nextTimes,
  noticesOf,
  type QuestionNotice,
  requestInterruption,
  reviewInterruption,
} from '../../core/waiting/reminders.ts';
import type { OpenRequest, Rfc } from '../../core/state/items.ts';
import { heldChangeNotices, type HeldChangeNotice } from '../../core/waiting/reminderSchedule.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';

/** What a notification says, and its buttons. None of them decides. */
export interface Words {
  /** Who asks; a notification for many stands for those of one agent. */
  readonly agent: string;
  readonly text: string;
  /** An urgent one stays until the human closes it. */
  readonly tone: 'urgent' | 'warning' | 'information';
  readonly open: string;
  /** Opens the item. */
  readonly command: string;
  readonly later?: boolean;
}

export interface Notice extends Omit<Noticed, 'key'> {
  /** Of the item. */
  readonly id: string;
  /** Equal in every window, and different for each that a human is to see: `Q-5-expiring`. */
  readonly name: string;
  readonly how: Interruption;
  /** As it is now; null when it is no longer relevant. */
  readonly words: () => Words | null | Promise<Words | null>;
  readonly isCurrent: () => boolean;
  /** Of a question: the agent that asked, and the workflow of its work. */
  readonly from?: { readonly agent: string; readonly workflow: string | null } | undefined;
}

export interface NoticeOptions {
  /** The human's setting: `all`, `critical` or `off`. */
  readonly level: string;
  readonly now: string;
  /** Whether a reminder of this question is needed. */
  readonly isNeeded: (question: Question) => boolean;
}

/** All that there are now, the most important of an item first. Those that the setting turns off are silent. */
export function noticesIn(folder: OpenFolder, state: State, { level, now, isNeeded }: NoticeOptions): Notice[] {
  const quiet = (notice: Notice, isWanted: boolean): Notice => (isWanted ? notice : { ...notice, how: 'silent' });
  const { rfcs, requests, criticalWarnings } = state;
  return [
    ...[...undecidedQuestions(state)].flatMap((question) =>
      noticesOf(state, question, now).map((due) =>
        quiet(
          ofQuestion({ folder, state, question }, due),
          isWanted(level, state, question) && (due.kind !== 'reminder' || isNeeded(question)),
        ),
      ),
    ),
    ...heldChangeNotices(state).map((one) => quiet(ofChange(folder, one), level !== 'off')),
    ...[...criticalWarnings]
      .filter((id) => state.events.get(id)?.author === 'agent')
      .map((id) => quiet(ofWarning(folder, id), level !== 'off')),
    ...[...rfcs.values()]
      .filter((one) => isForHumanNow(state, one))
      .map((one) => quiet(ofReview(folder, state, one), level === 'all')),
    ...[...requests.values()].flatMap((one) =>
      ofRequest(folder, state, one).map((notice) => quiet(notice, level === 'all')),
    ),
  ];
}

/** When the next notice becomes due by time alone, after `now` (ISO 8601); null when none does. */
export function nextNoticeTime(state: State, now: string): string | null {
  const times = [...undecidedQuestions(state)].flatMap((one) => nextTimes(state, one, now).due ?? []);
  return times.reduce<string | null>((first, at) => (first === null || at < first ? at : first), null);
}

/** Those that this window has not seen before: one of an item at a time, since the first says what the others would. */
export function openSeen(): (workspace: string, all: readonly Notice[]) => Notice[] {
  const seen = new Map<string, ReadonlySet<string>>();
  return (workspace, all) => {
    const before = seen.get(workspace) ?? new Set();
    seen.set(workspace, new Set(all.map(({ name }) => name)));
    const fresh = new Map<string, Notice>();
    for (const one of all) {
      const item = `${one.id} ${String(one.isChange ?? false)}`;
      if (!before.has(one.name) && !fresh.has(item)) fresh.set(item, one);
    }
    return [...fresh.values()];
  };
}

const stateOf = ({ workspace }: OpenFolder) => workspace.standing().state;

/** For texts: its own agents without their person. */
function shown<T extends Question | Rfc>(holder: T, { workspace }: OpenFolder): T {
  return { ...holder, asker: { ...holder.asker, id: shownAgent(holder.asker.id, workspace.person()) } };
}

// Questions

interface Asked {
  readonly folder: OpenFolder;
  readonly state: State;
  readonly question: Question;
}

function ofQuestion({ folder, state, question }: Asked, { id, kind, name, how }: QuestionNotice): Notice {
  const current = () => {
    const now = stateOf(folder)?.questions.get(id);
    return isDue(now, kind) ? now : null;
  };
  return {
    ...{ kind: 'question', id, name, how, critical: question.urgency === 'critical' },
    from: fromOf(state, question),
    isCurrent: () => current() !== null,
    words() {
      const [now, then] = [current(), stateOf(folder)];
      if (!now || !then) return null;
      const { asker } = shown(now, folder);
      return {
        ...{ agent: asker.id, text: questionWords(then, shown(now, folder), kind, folder.workspace.now()) },
        ...{ tone: now.urgency === 'critical' ? 'urgent' : 'information', later: isWaiting(now) },
        command: ids.commands.openForm,
        open: isWaiting(now) ? l10n.t('Answer') : l10n.t('Show'),
      };
    },
  };
}

/** Undecided; and a human's turn, unless it is about time. */
function isDue(question: Question | undefined, kind: QuestionNotice['kind']): question is Question {
  if (question?.resolution !== null) return false;
  const isTimed = kind === 'escalated' || kind === 'expiring' || kind === 'expired';
  return isTimed || openAskBack(question) === null;
}

function isWanted(level: string, { rfcs }: State, { urgency, mode, facts }: Question): boolean {
  const isOfDraft = facts.rfc !== null && rfcs.get(facts.rfc)?.review.stage === null;
  return level !== 'off' && (urgency === 'critical' || (level === 'all' && (mode === 'sync' || isOfDraft)));
}

function fromOf(state: State, { asker, work }: Question): Notice['from'] {
  const workflow = state.work.get(work ?? '')?.workflow ?? null;
  return { agent: asker.id, workflow: workflow === null ? null : (state.work.get(workflow)?.title ?? workflow) };
}

/** A reminder has the same text as the previous notification, so VS Code closes that one. */
function questionWords(state: State, question: Question, kind: QuestionNotice['kind'], now: string): string {
  const asked = askedWords(state, question);
  switch (kind) {
    case 'new':
    case 'reminder':
      return asked;
    case 'escalated':
      return l10n.t('Not answered in time, now critical: {0}', asked);
    case 'replied':
      return repliedWords(question);
    case 'expiring': {
      const minutes = Math.max(1, Math.round((Date.parse(question.expiresAt) - Date.parse(now)) / 60_000));
      return l10n.t('Expires in {0} min: {1}', minutes, asked);
    }
    case 'expired':
      return isWaiting(question)
        ? l10n.t('Expired, still held: {0}', asked)
        : l10n.t('Expired without an answer: {0}', asked);
  }
}

/** The agent's reply to a human's follow-up question. */
function repliedWords({ askBacks, asker, id }: Question): string {
  const last = askBacks.findLast(({ reply }) => reply !== null)?.reply;
  const by = last ? (personOf(asker.id) === null ? shortAgent(last.by) : last.by) : asker.id;
  return l10n.t('{0} replied about {1}: {2}', by, id, shownLine(plainText(last?.text ?? '')));
}

/** "migrator-001 stopped: May I drop the table? A dropped table comes back only from a back-up. Holds 2 items." */
function askedWords(state: State, question: Question): string {
  const { text, impact = '' } = raisedOf(state, question);
  const [subject, effect] = [shownLine(plainText(text)), shownLine(plainText(impact))];
  const asked = effect === '' ? subject : `${subject} ${effect.replace(/[^.!?…]$/, '$&.')}`;
  if (question.mode === 'async') return l10n.t('{0} asks: {1}', question.asker.id, asked);
  return withHeld(l10n.t('{0} stopped: {1}', question.asker.id, asked), cascade(state, question).open.length);
}

function withHeld(text: string, held: number): string {
  if (held === 0) return text;
  return held === 1 ? l10n.t('{0} Holds 1 item.', text) : l10n.t('{0} Holds {1} items.', text, held);
}

// Changes of held files

function ofChange(folder: OpenFolder, { holder: { id }, name, how }: HeldChangeNotice): Notice {
  const current = () => {
    const state = stateOf(folder);
    return (state && heldChangeNotices(state).find((one) => one.name === name)) ?? null;
  };
  return {
    ...{ kind: 'question', id, name, how, critical: true, isChange: true },
    isCurrent: () => current() !== null,
    words() {
      const now = current();
      if (!now) return null;
      const command = isRfc(now.holder) ? ids.commands.openRfc : ids.commands.openForm;
      const { asker } = shown(now.holder, folder);
      return { agent: asker.id, text: changeWords(id, now.files), tone: 'urgent', open: l10n.t('Show'), command };
    },
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

// RFCs: one for each revision that waits for a review

function ofReview(folder: OpenFolder, state: State, rfc: Rfc): Notice {
  const current = () => {
    const now = stateOf(folder)?.rfcs.get(rfc.id);
    return now && isRfcWaiting(now) ? now : null;
  };
  return {
    ...{ kind: 'rfc', id: rfc.id, name: `${rfc.id}-${String(latestRevision(rfc).number)}`, critical: false },
    how: reviewInterruption(state, rfc),
    isCurrent: () => current() !== null,
    words() {
      const [now, then] = [current(), stateOf(folder)];
      if (!now || !then) return null;
      const { asker } = shown(now, folder);
      const text = reviewWords(then, shown(now, folder));
      const command = ids.commands.openRfc;
      return { agent: asker.id, text, tone: 'information', open: l10n.t('Review'), command, later: true };
    },
  };
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

// Requests: new ones to a human, and each missed deadline of one to or from a human

function ofRequest(folder: OpenFolder, state: State, { id, origin }: OpenRequest): Notice[] {
  const noticeIn = (now: State | null) => {
    const request = now?.requests.get(id);
    return now && request ? humanNoticeOf(now, request) : null;
  };
  const notice = noticeIn(state);
  const request = state.requests.get(id);
  if (!notice || !request) return [];
  const isCurrent = () => noticeIn(stateOf(folder))?.name === notice.name;
  const words = async (): Promise<Words | null> => {
    const view = (await folder.workspace.store()).read();
    const now = view.state.requests.get(id);
    if (!now || !isCurrent()) return null;
    const text = requestWords(view.state, now, notice.kind, firstLine(requestDetails(view, id)?.subject ?? id));
    const agent = view.state.responsibilities.get(origin)?.name ?? origin;
    const isNew = notice.kind === 'new';
    const tone = isNew ? 'information' : 'warning';
    return { agent, text, tone, open: l10n.t('Open'), command: ids.commands.openForm, later: isNew };
  };
  const how = requestInterruption(state, request, notice.kind !== 'new');
  return [{ kind: 'request', id, name: notice.name, critical: false, how, isCurrent, words }];
}

function requestWords(state: State, request: OpenRequest, kind: HumanNotice['kind'], subject: string): string {
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

// Critical warnings. They stop no agent, and humans are not notified of their own.

function ofWarning(folder: OpenFolder, id: string): Notice {
  return {
    ...{ kind: 'warning', id, name: id, critical: false, how: 'now' },
    isCurrent: () => stateOf(folder)?.criticalWarnings.has(id) ?? false,
    async words() {
      const event = eventNamed((await folder.workspace.store()).read(), id);
      if (event?.status !== 'active') return null;
      const text = l10n.t('Critical warning from {0}: {1}', event.author, shownLine(plainText(event.text)));
      return { agent: event.author, text, tone: 'warning', open: l10n.t('Show'), command: ids.commands.openEvent };
    },
  };
}

// Selects notifications: none for items that are visible already, and one for a burst.

export type NoticeKind = 'question' | 'rfc' | 'request' | 'warning';

/** An item that a human should notice. */
export interface Noticed {
  readonly kind: NoticeKind;
  readonly key: string;
  /** It stops all agents, so a row in a list is not enough. */
  readonly critical: boolean;
  /** It is about the changed files of an item, which is pressing whatever the item's urgency. */
  readonly isChange?: boolean;
}

/** The number of items by kind, and how many of them are critical: changed files are neither new nor critical items. */
export function countsOf(all: readonly Noticed[]): Readonly<Record<NoticeKind | 'change' | 'critical', number>> {
  const counts = { question: 0, rfc: 0, request: 0, warning: 0, change: 0, critical: 0 };
  for (const { kind, critical, isChange = false } of all) {
    counts[isChange ? 'change' : kind]++;
    if (critical && !isChange) counts.critical++;
  }
  return counts;
}

/** The items that the human can see in this window. */
export interface Seen {
  /** Whether the item's form or review is visible. */
  readonly isShown: (key: string) => boolean;
  /** Keys of the items in visible views. */
  readonly listed: ReadonlySet<string>;
}

/** The items that are not visible yet. */
export function unseenItems<T extends Noticed>(all: readonly T[], { isShown, listed }: Seen): T[] {
  return all.filter(({ key, critical }) => !isShown(key) && (critical || !listed.has(key)));
}

/** More than this many together are a burst. */
const singlyAtMost = 2;

/** In a burst, only a single critical item has its own notification; there is one for all the others together. */
export function toastsOf<T extends Noticed>(all: readonly T[]) {
  if (all.length <= singlyAtMost) return { singly: all, together: [] };
  const critical = all.filter((one) => one.critical);
  const singly = critical.length === 1 ? critical : [];
  return { singly, together: all.filter((one) => !singly.includes(one)) };
}

export interface GatheringOptions<T> {
  readonly after: (ms: number, run: () => void) => void;
  readonly flush: (all: readonly T[]) => void;
  /** How long nothing more arrives. Milliseconds. */
  readonly quietMs?: number | undefined;
}

const usualQuietMs = 600;
/** A stream without pauses is delivered in parts. */
const roundsAtMost = 6;

/** Collects items that arrive in quick succession. */
export function gathering<T>({
  after,
  flush,
  quietMs = usualQuietMs,
}: GatheringOptions<T>): (all: readonly T[]) => void {
  let gathered: T[] = [];

  function wait(rounds: number): void {
    const before = gathered.length;
    after(quietMs, () => {
      if (gathered.length > before && rounds < roundsAtMost) {
        wait(rounds + 1);
        return;
      }
      const all = gathered;
      gathered = [];
      flush(all);
    });
  }

  return (all) => {
    if (all.length === 0) return;
    const isFirst = gathered.length === 0;
    gathered.push(...all);
    if (isFirst) wait(1);
  };
}

// Visible notifications: few per agent, and one per item, so that a reminder replaces the previous one. One stands for
// all others of an agent: five hundred questions get no more attention than four. VS Code keeps hidden ones in its
// notification center, so those of items that no longer wait take no place.

const singlyOfAgent = 3;

export interface Shown {
  readonly agent: string;
  readonly item: string;
  /** Whether the item still waits. */
  readonly isCurrent: () => boolean;
  /** Resolves when the notification has closed. */
  readonly show: () => Thenable<string | undefined>;
  /** Shows one notification for all further items. */
  readonly showMore: () => Promise<void>;
}

/** @returns a function that shows a notification if there is room, and resolves to the button that was pressed */
export function onScreen(): (shown: Shown) => Promise<string | undefined> {
  const open = new Map<string, Pick<Shown, 'item' | 'isCurrent'>[]>();
  const more = new Set<string>();
  return async ({ agent, item, isCurrent, show, showMore }) => {
    const all = open.get(agent) ?? [];
    open.set(agent, all);
    const waiting = new Set(all.flatMap((one) => (one.isCurrent() ? one.item : [])));
    if (waiting.size < singlyOfAgent) more.delete(agent);
    else if (!waiting.has(item)) {
      if (more.has(agent)) return undefined;
      more.add(agent);
      await showMore().finally(() => more.delete(agent));
      return undefined;
    }
    const one = { item, isCurrent };
    all.push(one);
    return Promise.resolve(show()).finally(() => {
      all.splice(all.indexOf(one), 1);
      if (all.length === 0) open.delete(agent);
    });
  };
}
