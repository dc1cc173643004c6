/**
 * When a human is notified of a question, and when again. A question notifies as it comes, as it is escalated, before it
 * expires, when it has expired, and when its agent replies to what a human asked back; while it waits for a human, it
 * notifies again as often as the policy says for its urgency.
 */
import type { Interruption, Urgency } from '../kit/words.ts';
import {
  defaultReminders,
  isWaiting,
  type Policy,
  type Question,
  type State,
  openAskBack,
  waitsForHuman,
} from '../state/state.ts';
import { interruptionOf } from '../state/interruptions.ts';

// Which reminder of one item is due by a rule: the first, or one of those that repeat it.

/** When a waiting item notifies, in minutes. */
interface ReminderRule {
  /** After it began to wait for a human; null: never. */
  readonly first: number | null;
  /** After the first, again and again; 0: once. */
  readonly every: number;
}

interface Asked {
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  readonly now: string;
}

interface DueReminder {
  readonly name: string;
  readonly isFirst: boolean;
  readonly replaces: readonly string[];
  /** When it became due (ISO 8601). */
  readonly at: string;
}

export function dueReminder(rule: ReminderRule, { name, since, now }: Asked): DueReminder | null {
  const turn = reminderTurn(rule, since, now);
  if (turn === null) return null;
  const minutes = (rule.first ?? 0) + turn * rule.every;
  const at = new Date(Date.parse(since) + minutes * 60_000).toISOString();
  if (turn === 0) return { name, isFirst: true, replaces: [], at };
  return { name: `${name}-${String(turn)}`, isFirst: false, replaces: [name], at };
}

/** 0 for the first reminder, then how often it was repeated; null before the first. */
function reminderTurn({ first, every }: ReminderRule, since: string, now: string): number | null {
  if (first === null) return null;
  const minutes = (Date.parse(now) - Date.parse(since)) / 60_000 - first;
  if (minutes < 0) return null;
  return every === 0 ? 0 : Math.floor(minutes / every);
}

type Occasion = 'new' | 'escalated' | 'expiring' | 'expired' | 'replied';

export type ReminderRules = Readonly<Record<Urgency, ReminderRule>>;

function policyRules({ reminders = defaultReminders }: Policy): ReminderRules {
  const rule = (every: number): ReminderRule => ({ first: 0, every });
  const { critical, high, medium, low } = reminders;
  return { critical: rule(critical), high: rule(high), medium: rule(medium), low: rule(low) };
}

export interface QuestionNotice {
  readonly id: string;
  readonly kind: Occasion | 'reminder';
  /** Equal in every window: `Q-5`, `Q-5-expiring`, `Q-5-replied-2`, `Q-5-critical-3`, `Q-5-replied-2-critical-1`. */
  readonly name: string;
  /** When it became due (ISO 8601). */
  readonly at: string;
  readonly how: Interruption;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A question expires soon in the last tenth of its life, an hour at most. */
const lastTenth = 10;
const soonAtMostMs = hourMs;
/** An async question that has expired waits no longer: later than this it is history. */
const expiredAtMostMs = 24 * hourMs;

/** What a human is to have heard of a question by `now`: its latest occasion, and the latest reminder. */
export function noticesOf(
  state: State,
  question: Question,
  now: string,
  rules = policyRules(state.policy),
): QuestionNotice[] {
  const kind = occasionOf(state, question, now);
  const rule = rules[question.urgency];
  if (kind === null || ((kind === 'new' || kind === 'replied') && !isFirstDue(rule, question, now))) return [];
  const { id } = question;
  const replies = repliesTo(question);
  const since = replies === 0 ? id : `${id}-replied-${String(replies)}`;
  const called = kind === 'new' ? id : kind === 'replied' ? since : `${id}-${kind}`;
  const how = interruptionOf(state, question);
  const occasion = { id, kind, name: called, at: occasionTime(state, question, kind, rule), how } as const;
  const turn = repeatsDue(rule, question, now);
  if (turn === 0) return [occasion];
  const at = timeAfter(remindedFrom(question), ((rule.first ?? 0) + turn * rule.every) * minuteMs);
  return [occasion, { id, kind: 'reminder', name: `${since}-${question.urgency}-${String(turn)}`, at, how }];
}

function occasionTime(state: State, question: Question, kind: Occasion, rule: ReminderRule): string {
  switch (kind) {
    case 'new':
    case 'replied':
      return timeAfter(remindedFrom(question), (rule.first ?? 0) * minuteMs);
    case 'expiring':
      return iso(expiringFrom(state, question) ?? Date.parse(question.expiresAt));
    case 'escalated':
    case 'expired':
      return question.expiresAt;
  }
}

function occasionOf(state: State, question: Question, now: string): Occasion | null {
  if (question.status === 'expired')
    return question.resolution === null && (isWaiting(question) || agoMs(question.expiresAt, now) < expiredAtMostMs)
      ? 'expired'
      : null;
  if (!isWaiting(question)) return null;
  const soon = expiringFrom(state, question);
  const isSoon = soon !== null && soon <= Date.parse(now) && now < question.expiresAt;
  const timed = isEscalated(question) ? 'escalated' : isSoon ? 'expiring' : null;
  const replied = repliedAt(question);
  const timedAt = timed === 'escalated' ? Date.parse(question.expiresAt) : soon;
  if (timed !== null && !(replied !== null && timedAt !== null && timedAt <= Date.parse(replied))) return timed;
  if (openAskBack(question) !== null) return null;
  return replied === null ? 'new' : 'replied';
}

function repliedAt({ askBacks }: Question): string | null {
  return askBacks.findLast(({ reply }) => reply !== null)?.reply?.at ?? null;
}

function repliesTo({ askBacks }: Question): number {
  return askBacks.filter(({ reply }) => reply !== null).length;
}

/** It was not answered in time, and the policy made it critical. */
function isEscalated({ urgency, facts }: Question): boolean {
  return urgency === 'critical' && facts.urgency !== 'critical';
}

/** Milliseconds since the epoch. Null for a question that time does not end: escalation has a notification of its own. */
function expiringFrom({ policy }: State, { mode, raisedAt, expiresAt }: Question): number | null {
  if (policy.onExpiry === 'escalate' && mode === 'sync') return null;
  const expires = Date.parse(expiresAt);
  return Math.trunc(expires - Math.min(soonAtMostMs, (expires - Date.parse(raisedAt)) / lastTenth));
}

function isFirstDue(rule: ReminderRule, question: Question, now: string): boolean {
  return reminderTurn(rule, remindedFrom(question), now) !== null;
}

function repeatsDue(rule: ReminderRule, question: Question, now: string): number {
  return waitsForHuman(question) ? (reminderTurn(rule, remindedFrom(question), now) ?? 0) : 0;
}

function remindedFrom(question: Question): string {
  const from = isEscalated(question) ? question.expiresAt : question.raisedAt;
  const replied = repliedAt(question);
  return replied !== null && replied > from ? replied : from;
}

/** Times after `now` (ISO 8601); null where there is none. */
interface NextTimes {
  /** When the next notice becomes due by time alone. */
  readonly due: string | null;
  /** Until then, `noticesOf` and `due` stay the same. */
  readonly changed: string | null;
}

export function nextTimes(state: State, question: Question, now: string, rules = policyRules(state.policy)): NextTimes {
  const due = isWaiting(question) ? timesOf(state, question, { now, rule: rules[question.urgency] }) : [];
  const nowMs = Date.parse(now);
  const expires = Date.parse(question.expiresAt);
  return { due: firstAfter(nowMs, due), changed: firstAfter(nowMs, [...due, expires, expires + expiredAtMostMs]) };
}

function firstAfter(now: number, times: readonly number[]): string | null {
  const first = times.reduce((least, at) => (at > now && at < least ? at : least), Infinity);
  return first === Infinity ? null : iso(first);
}

/** Milliseconds since the epoch. */
function timesOf(
  state: State,
  question: Question,
  { now, rule }: { readonly now: string; readonly rule: ReminderRule },
): number[] {
  const soon = question.status === 'pending' ? expiringFrom(state, question) : null;
  const turn = repeatsDue(rule, question, now) + 1;
  const from = Date.parse(remindedFrom(question));
  const first = rule.first === null || !waitsForHuman(question) ? null : from + rule.first * minuteMs;
  const reminder = first === null || rule.every === 0 ? null : first + turn * rule.every * minuteMs;
  return [soon, first, reminder].filter((at) => at !== null);
}

function agoMs(then: string, now: string): number {
  return Date.parse(now) - Date.parse(then);
}

function timeAfter(at: string, ms: number): string {
  return iso(Date.parse(at) + ms);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
