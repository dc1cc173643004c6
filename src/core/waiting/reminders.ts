/**
 * When a human is notified of a question, and when again. A question notifies as it comes, as it is escalated, before it
 * expires, when it has expired, and when its agent replies to what a human asked back; while it waits for a human, it
 * notifies again as often as the policy says for its urgency.
 */

import { shortAgent } from '../kit/persons.ts';
import { sameNameKey } from '../kit/text.ts';
import type { Interruption, Urgency } from '../kit/words.ts';
import type { Interruptions } from '../records/policy.ts';
import type { OpenRequest, Rfc } from '../state/items.ts';
import {
  defaultReminders,
  isWaiting,
  openAskBack,
  type Policy,
  type Question,
  type State,
  waitsForHuman,
} from '../state/state.ts';

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

// How questions, RFCs and requests interrupt a human, by the signed policy.

const defaultInterruptions: Interruptions = {
  urgencies: { critical: 'now', high: 'now', medium: 'silent', low: 'silent' },
  agents: [],
  digestMinutes: 30,
  perHour: 0,
};

/** What earlier policies gathered in a digest is only in the list. */
export function interruptionsOf({ interruptions }: Pick<Policy, 'interruptions'>): Interruptions {
  if (!interruptions) return defaultInterruptions;
  const { urgencies: by, agents } = interruptions;
  return {
    ...interruptions,
    urgencies: { critical: asNow(by.critical), high: asNow(by.high), medium: asNow(by.medium), low: asNow(by.low) },
    agents: agents.map((one) => ({ ...one, how: asNow(one.how) })),
  };
}

function asNow(how: Interruption): Interruption {
  return how === 'digest' ? 'silent' : how;
}

/** `silent`: only the tree and its number show it. A critical question waits only by a rule that names its urgency. */
export function interruptionOf(state: State, question: Question): Interruption {
  const how = ruledInterruption(state, [question.asker.id], question.urgency);
  return how === 'now' && question.urgency !== 'critical' && isOverBudget(state, question) ? 'silent' : how;
}

/** Of what is as pressing as a critical question of the same agent. */
export function interruptionAsCritical(state: State, { asker }: Pick<Question, 'asker'>): Interruption {
  return ruledInterruption(state, [asker.id], 'critical');
}

/** Of a review. RFCs have no urgency: they count as high, as in lists. The limit in an hour is about questions. */
export function reviewInterruption(state: State, { asker }: Pick<Rfc, 'asker'>): Interruption {
  return ruledInterruption(state, [asker.id], 'high');
}

/** Of a request, by its responsibility and the agents that act for it. One whose agreed time has passed counts as high. */
export function requestInterruption(
  state: State,
  { origin }: Pick<OpenRequest, 'origin'>,
  isLate: boolean,
): Interruption {
  const agents = state.responsibilities.get(origin)?.agents ?? [];
  return ruledInterruption(state, [origin, ...agents], isLate ? 'high' : 'medium');
}

/** @param askers the names that rules can have for who asks */
function ruledInterruption({ policy }: State, askers: readonly string[], urgency: Urgency): Interruption {
  const { urgencies, agents } = interruptionsOf(policy);
  const rule = agents.find(
    (one) =>
      askers.some((id) => isOfAgent(id, one.agent)) && (one.urgencies?.includes(urgency) ?? urgency !== 'critical'),
  );
  return rule?.how ?? urgencies[urgency];
}

/** Whether a rule's name is an agent's id, with or without its person, or that of its type. */
export function isOfAgent(id: string, name: string): boolean {
  const short = shortAgent(id);
  return id === name || short === name || short.replace(/-\d+$/, '') === name;
}

/** Whether its agent asked as many in the hour before it as the policy allows. */
function isOverBudget(state: State, question: Question): boolean {
  const { perHour } = interruptionsOf(state.policy);
  if (perHour === 0) return false;
  const from = new Date(Date.parse(question.raisedAt) - hourMs).toISOString();
  let before = 0;
  for (const earlier of earlierQuestions(state, question)) {
    if (earlier.raisedAt <= from) return false;
    if (earlier.asker.id === question.asker.id) before += 1;
    if (before >= perHour) return true;
  }
  return false;
}

/** The latest first. Numbers are given in order. */
function* earlierQuestions({ questions }: State, { id }: Question): Generator<Question> {
  for (let number = Number(id.slice(id.indexOf('-') + 1)) - 1; number > 0; number -= 1) {
    const found = questions.get(`Q-${String(number)}`);
    if (found) yield found;
  }
}

// Whom a question or RFC is for. It only sorts and filters: everybody can answer, unless a policy asks for certain people.

/**
 * Whether an item is for this person: it is for everybody, for their name, or for a responsibility that a human's signed
 * record gives to them by name.
 * @param person the name of their key
 */
export function isForPerson({ responsibilities }: Pick<State, 'responsibilities'>, to: string | null, person: string) {
  if (to === null || sameNameKey(to) === sameNameKey(person)) return true;
  return [...responsibilities.values()].some(
    ({ id, kind, name }) =>
      (kind === 'human' || kind === 'steward') &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(to)) &&
      [id, name].some((one) => sameNameKey(one) === sameNameKey(person)),
  );
}
