/** Which reminders of a workspace are due for a person, by their own settings. Pure: state, settings and the time. */
import { cascade, reachesNothing } from '../hold/cascade.ts';
import { holderName, isRfc } from '../hold/holds.ts';
import { plainText } from '../kit/plain.ts';
import { shownLine } from '../kit/text.ts';
import type { Urgency } from '../kit/words.ts';
import { reviewInterruption } from '../state/interruptions.ts';
import { isForPerson } from '../state/people.ts';
import type { Rfc } from '../state/rfc.ts';
import { raisedOf, type Question, type State } from '../state/state.ts';
import { heldChangeNotices } from './heldChangeNotices.ts';
import type { Reminder } from './reminder.ts';
import { isQuiet, rulesOf, type ReminderSettings } from './reminderSettings.ts';
import { noticesOf, type QuestionNotice } from './reminders.ts';
import { requestReminders } from './requestReminders.ts';
import { dueReminder } from './dueReminder.ts';

export interface ScheduleOptions {
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
