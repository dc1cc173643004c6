/**
 * Reminders of requests that wait for a human, or that a human made and that are overdue. A new request is treated as
 * medium, and one whose agreed time has passed as high.
 */
import { shownLine } from '../kit/text.ts';
import type { Urgency } from '../kit/words.ts';
import type { RequestType } from '../records/requestWords.ts';
import { humanNoticeOf } from '../request/humanNotice.ts';
import { breachOf, isHumansTurn, slaDue } from '../request/request.ts';
import { requestInterruption } from '../state/interruptions.ts';
import { isForPerson } from '../state/people.ts';
import type { OpenRequest } from '../state/request.ts';
import type { State } from '../state/state.ts';
import { isQuiet, rulesOf, type ReminderSettings } from './reminderSettings.ts';
import type { Reminder } from './reminder.ts';
import { dueReminder } from './dueReminder.ts';

/** The state keeps no texts of requests. */
const titles: Readonly<Record<RequestType, string>> = {
  request_for_action: 'Request for action',
  ingest_new_context: 'New context to take in',
  new_context_available: 'New context is available',
};

export function requestReminders(state: State, settings: ReminderSettings, now: string): Reminder[] {
  return [...state.requests.values()].flatMap((each) => {
    const request = asOfNow(each, now);
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
function asOfNow(request: OpenRequest, now: string): OpenRequest | null {
  const isReleased = (request.status === 'created' || request.status === 'deferred') && request.availableAt <= now;
  const current: OpenRequest = isReleased ? { ...request, status: 'pending', alerted: [] } : request;
  if (current.status === 'pending' && current.dueAt !== null && current.dueAt <= now) return null;
  const breach = breachOf(current, now);
  return breach === null ? current : { ...current, alerted: [...current.alerted, breach] };
}
