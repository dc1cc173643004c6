/** Which reminders of a workspace are due for a person, by their own settings. Pure: state, settings and the time. */

import { cascade, type Holder, holderName, holderOf, isRfc, reachesNothing } from '../hold/holds.ts';
import { plainText, plural, shownLine } from '../kit/text.ts';
import type { Urgency, Interruption } from '../kit/words.ts';
import type { RequestType } from '../records/request.ts';
import { humanNoticeOf } from '../request/due.ts';
import { breachOf, isHumansTurn, slaDue } from '../request/request.ts';
import { type HeldFiles, isChanged } from '../state/heldChanges.ts';
import {
  dueReminder,
  interruptionAsCritical,
  isForPerson,
  noticesOf,
  type QuestionNotice,
  requestInterruption,
  reviewInterruption,
} from './reminders.ts';
import type { Rfc, OpenRequest } from '../state/items.ts';
import { type Question, raisedOf, type State } from '../state/state.ts';
import { isQuiet, type ReminderSettings, rulesOf, type WebhookFormat } from './reminderSettings.ts';

// When a human is notified that held files were changed: once each time that a change was noted.

export interface HeldChangeNotice {
  readonly holder: Holder;
  readonly files: HeldFiles;
  /** Equal in every window, and new after a later change: `Q-5-changed-1772452800000`. */
  readonly name: string;
  /** When the latest change was noted (ISO 8601). */
  readonly at: string;
  readonly how: Interruption;
}

/** One for each question and RFC with changes that no human has accepted. */
export function heldChangeNotices(state: State): HeldChangeNotice[] {
  return [...state.heldFiles].flatMap(([id, files]) => {
    const holder = isChanged(files) ? holderOf(state, id) : undefined;
    if (!holder) return [];
    const { changes, lost } = files;
    const at = [...changes, ...(lost ? [lost] : [])].reduce((last, one) => (one.at > last ? one.at : last), '');
    const name = `${id}-changed-${String(Date.parse(at))}`;
    return [{ holder, files, name, at, how: interruptionAsCritical(state, holder) }];
  });
}

// One reminder of one item, for any channel.

/** What a message says. Texts of agents are one short line without markup and hidden characters. */
export interface Reminder {
  readonly id: string;
  /** `overdue`: the agreed time of a request has passed; `changed`: files that it holds were changed. */
  readonly kind: QuestionNotice['kind'] | 'overdue' | 'changed';
  /** Identifies the occasion in its workspace: it is sent once. */
  readonly name: string;
  /** Names of the other occasions that are due: this one says what they would. */
  readonly replaces: readonly string[];
  readonly urgency: Urgency;
  readonly title: string;
  readonly askedBy: string;
  readonly waitingSince: string;
  readonly expiresAt: string | null;
  readonly holds: number;
  /** When it became due (ISO 8601). */
  readonly at: string;
  readonly how: Interruption;
}

// Reminders of requests that wait for a human, or that a human made and that are overdue. A new request is treated as
// medium, and one whose agreed time has passed as high.

/** The state keeps no texts of requests. */
const titles: Readonly<Record<RequestType, string>> = {
  request_for_action: 'Request for action',
  ingest_new_context: 'New context to take in',
  new_context_available: 'New context is available',
};

function requestReminders(state: State, settings: ReminderSettings, now: string): Reminder[] {
  return [...state.requests.values()].flatMap((each) => {
    const request = requestAsOfNow(each, now);
    const notice = request && humanNoticeOf(state, request);
    if (!request || !notice) return [];
    const isLate = notice.kind !== 'new';
    const urgency: Urgency = isLate ? 'high' : 'medium';
    const person = isHumansTurn(state, request) ? request.target : request.origin;
    const isWanted = settings.for === undefined || isForPerson(state, person, settings.for);
    if (!isWanted || (isLate && !settings.on.escalated) || isQuiet(settings, urgency, now)) return [];
    const since = (isLate ? slaDue(request)?.at : undefined) ?? request.availableAt;
    const turn = dueReminder(rulesOf(settings)[urgency], { name: notice.name, since, now });
    if (!turn) return [];
    const reminder: Reminder = {
      ...{ id: request.id, kind: isLate ? 'overdue' : turn.isFirst ? 'new' : 'reminder', urgency },
      ...{ name: turn.name, replaces: turn.replaces },
      title: titles[request.type],
      askedBy: shownLine(state.responsibilities.get(request.origin)?.name ?? request.origin),
      waitingSince: request.availableAt,
      expiresAt: request.status === 'pending' ? request.dueAt : null,
      holds: 0,
      ...{ at: turn.at, how: requestInterruption(state, request, isLate) },
    };
    return [reminder];
  });
}

/** As the sweep will record it; null when it will have expired. */
function requestAsOfNow(request: OpenRequest, now: string): OpenRequest | null {
  const isReleased = (request.status === 'created' || request.status === 'deferred') && request.availableAt <= now;
  const current: OpenRequest = isReleased ? { ...request, status: 'pending', alerted: [] } : request;
  if (current.status === 'pending' && current.dueAt !== null && current.dueAt <= now) return null;
  const breach = breachOf(current, now);
  return breach === null ? current : { ...current, alerted: [...current.alerted, breach] };
}

interface ScheduleOptions {
  readonly settings: ReminderSettings;
  /** ISO 8601. */
  readonly now: string;
  /** Whether the occasion of this name was sent, or replaced by one that was. */
  readonly isSent: (name: string) => boolean;
}

/** At most one for each item, and one about changes of its held files, most pressing first. Nothing is lost in quiet hours: it is due afterwards. */
export function dueReminders(state: State, options: ScheduleOptions): Reminder[] {
  const { settings, now, isSent } = options;
  const rules = rulesOf(settings);
  const wanted = (to: string | null) => settings.for === undefined || isForPerson(state, to, settings.for);
  const due: Reminder[] = [];
  for (const each of state.questions.values()) {
    const question = asOfNow(state, each, now);
    if (question.resolution !== null || !wanted(question.facts.for)) continue;
    if (isQuiet(settings, question.urgency, now)) continue;
    const notices = noticesOf(state, question, now, rules).filter(({ kind }) => isOn(settings, kind));
    const next = notices.find(({ name }) => !isSent(name));
    if (next) due.push(ofQuestion(state, question, { ...next, all: notices }));
  }
  if (!isQuiet(settings, 'high', now))
    due.push(...rfcReminders(state, settings, now).filter(({ name }) => !isSent(name)));
  due.push(...requestReminders(state, settings, now).filter(({ name }) => !isSent(name)));
  if (!isQuiet(settings, 'critical', now))
    due.push(...changeReminders(state, wanted).filter(({ name }) => !isSent(name)));
  return due.sort((a, b) => order.indexOf(a.urgency) - order.indexOf(b.urgency));
}

/** As pressing as critical questions; each change once. */
function changeReminders(state: State, isWanted: (to: string | null) => boolean): Reminder[] {
  return heldChangeNotices(state)
    .filter(({ holder }) => isWanted(isRfc(holder) ? holder.for : holder.facts.for))
    .map(({ holder, name, at, how }) => ({
      ...{ id: holder.id, kind: 'changed', urgency: 'critical', name, replaces: [] },
      title: shownLine(plainText(holderName(holder))),
      askedBy: shownLine(holder.asker.id),
      ...{ waitingSince: at, expiresAt: null, holds: 0, at, how },
    }));
}

const order: readonly Urgency[] = ['critical', 'high', 'medium', 'low'];

/** As the sweep will record it: no program may be running that writes it. */
function asOfNow(state: State, question: Question, now: string): Question {
  if (question.status !== 'pending' || question.expiresAt > now) return question;
  if (state.policy.onExpiry === 'expire' || question.mode === 'async') return { ...question, status: 'expired' };
  return question.urgency === 'critical' ? question : { ...question, urgency: 'critical' };
}

function isOn({ on }: ReminderSettings, kind: QuestionNotice['kind']): boolean {
  return kind === 'new' || kind === 'reminder' || on[kind];
}

function ofQuestion(
  state: State,
  question: Question,
  { kind, name, at, how, all }: QuestionNotice & { readonly all: readonly QuestionNotice[] },
): Reminder {
  const { open } = question.mode === 'sync' ? cascade(state, question) : reachesNothing;
  return {
    ...{ id: question.id, kind, name, urgency: question.urgency },
    replaces: all.map((one) => one.name).filter((one) => one !== name),
    title: shownLine(plainText(raisedOf(state, question).text)),
    askedBy: shownLine(question.asker.id),
    waitingSince: question.raisedAt,
    expiresAt: question.status === 'pending' ? question.expiresAt : null,
    holds: open.length,
    ...{ at, how },
  };
}

/** RFCs have no urgency: they are treated as high, as in lists. */
function rfcReminders(state: State, settings: ReminderSettings, now: string): Reminder[] {
  const rule = rulesOf(settings).high;
  return [...state.rfcs.values()].flatMap((rfc) => {
    const since = rfc.waitingSince;
    const isWanted = settings.for === undefined || isForPerson(state, rfc.for, settings.for);
    if (since === null || !isWanted || !isUnderReview(rfc)) return [];
    const turn = dueReminder(rule, { name: `${rfc.id}-r${String(rfc.revisions.length)}`, since, now });
    if (!turn) return [];
    const { open } = cascade(state, rfc);
    const reminder: Reminder = {
      ...{ id: rfc.id, kind: turn.isFirst ? 'new' : 'reminder', urgency: 'high' },
      ...{ name: turn.name, replaces: turn.replaces },
      title: shownLine(plainText(rfc.title)),
      askedBy: shownLine(rfc.asker.id),
      waitingSince: since,
      expiresAt: null,
      holds: open.length,
      ...{ at: turn.at, how: reviewInterruption(state, rfc) },
    };
    return [reminder];
  });
}

/** A reviewer may still be at work on it. */
function isUnderReview({ status, amendment, review }: Rfc): boolean {
  return (status === 'under_review' || amendment === 'under_review') && review.stage !== 'reviewing';
}

// The bodies of webhooks. Each shows a text and a link that opens the form; none has a button that decides. Texts of
// agents go only where the receiver interprets no markup: Slack's `plain_text`, and text runs of adaptive cards.

export interface ReminderMessage {
  /** The most urgent first; more than one if many became due together. */
  readonly reminders: readonly Reminder[];
  /** Name and id of the workspace. */
  readonly project: string;
  readonly workspace: string;
  /** Opens the form of the first. */
  readonly link: string;
  readonly isTest?: boolean;
}

export function messageText({ reminders, project, isTest }: ReminderMessage): string {
  if (isTest) return 'Holdpoint: this is a test. Reminders arrive here.';
  const [first] = reminders;
  if (!first) return project;
  const line = `${heading(first)} ${first.title}`;
  return reminders.length === 1 ? line : `${countText(reminders, first)} First: ${line}`;
}

function countText(reminders: readonly Reminder[], { askedBy }: Reminder): string {
  const count = String(reminders.length);
  const isOfOne = reminders.every((one) => one.askedBy === askedBy && one.id.startsWith('Q-'));
  return isOfOne ? `${count} questions from ${askedBy}.` : `${count} items are waiting for you.`;
}

const occasions = {
  reminder: 'Still waiting',
  escalated: 'Not answered in time, now critical',
  expiring: 'Expires soon',
  expired: 'Expired without an answer',
  overdue: 'Not answered or done in time',
  changed: 'Held files were changed',
} as const;

function heading({ kind, id, askedBy, holds }: Reminder): string {
  const held = holds === 0 ? '' : ` (blocks ${plural(holds, 'item')})`;
  if (kind === 'new') return `${askedBy} asks ${id}${held}:`;
  if (kind === 'replied') return `${askedBy} replied about ${id}${held}:`;
  return `${occasions[kind]}, ${id} of ${askedBy}${held}:`;
}

export function webhookBody(format: WebhookFormat, message: ReminderMessage): object {
  return { json: jsonBody, slack: slackBody, teams: teamsBody }[format](message);
}

function jsonBody(message: ReminderMessage): object {
  const { reminders, project, workspace, link, isTest = false } = message;
  return {
    ...{ schema: 'holdpoint/reminder/1', test: isTest, text: messageText(message), project, workspace, link },
    items: reminders.map(({ id, kind, urgency, title, askedBy, waitingSince, expiresAt, holds }) => ({
      ...{ id, kind, urgency, title, asked_by: askedBy, waiting_since: waitingSince, expires_at: expiresAt, holds },
    })),
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text: these three are the control characters. */
function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function slackBody(message: ReminderMessage): object {
  const plainText = (text: string) => ({ type: 'plain_text', text: slackEscaped(text), emoji: false });
  return {
    // For notifications and screen readers.
    text: slackEscaped(messageText(message)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: plainText(messageText(message)) },
      { type: 'context', elements: [plainText(message.project)] },
      { type: 'section', text: { type: 'mrkdwn', text: `<${slackEscaped(message.link)}|Open>`, verbatim: true } },
    ],
  };
}

/** A text run interprets no Markdown; `{{DATE(…)}}` is the one function that cards replace in texts. */
function cardText(text: string): string {
  return text.replaceAll('{{', '{ {');
}

function teamsBody(message: ReminderMessage): object {
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text: cardText(text), ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'RichTextBlock', inlines: [run(messageText(message), { weight: 'Bolder' })] },
            { type: 'RichTextBlock', inlines: [run(message.project, { isSubtle: true })] },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.link }],
        },
      },
    ],
  };
}

/** Environment variables of a user's command. The values are data: no shell reads them. */
export function commandEnvironment(message: ReminderMessage): Readonly<Record<string, string>> {
  const [first] = message.reminders;
  return {
    HOLDPOINT_TEXT: messageText(message),
    HOLDPOINT_LINK: message.link,
    HOLDPOINT_PROJECT: message.project,
    HOLDPOINT_COUNT: String(message.reminders.length),
    HOLDPOINT_ID: first?.id ?? '',
    HOLDPOINT_KIND: message.isTest ? 'test' : (first?.kind ?? ''),
    HOLDPOINT_URGENCY: first?.urgency ?? '',
    HOLDPOINT_TITLE: first?.title ?? '',
  };
}
