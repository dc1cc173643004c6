/** Groups the due reminders of a workspace into messages: one for a digest, and one for many at once. */
import type { Reminder } from '../../core/waiting/reminder.ts';
import { deliveriesOf } from '../../core/waiting/digest.ts';
import type { DigestTimes } from '../../core/waiting/digest.ts';

interface Sending {
  readonly times: DigestTimes;
  /** Whether an attempt to send it failed: it has had its turn. */
  readonly isRetry: (reminder: Reminder) => boolean;
}

/** More than this many of one workspace at once become one message. */
const singlyAtMost = 3;
/** So many of one agent at once become one message. */
const burst = 3;

export function messagesOf(due: readonly Reminder[], { times, isRetry }: Sending): Reminder[][] {
  const retried = due.filter((one) => one.how !== 'silent' && isRetry(one));
  const { now, digest } = deliveriesOf(
    due.filter((one) => !retried.includes(one)),
    times,
  );
  return [
    ...together([...retried.filter(({ how }) => how === 'now'), ...now]),
    ...some(retried.filter(({ how }) => how === 'digest')),
    ...some(digest),
  ];
}

function together(reminders: readonly Reminder[]): Reminder[][] {
  if (reminders.length > singlyAtMost) return [[...reminders]];
  const isBurst = reminders.length >= burst && new Set(reminders.map(({ askedBy }) => askedBy)).size === 1;
  return isBurst ? [[...reminders]] : reminders.map((one) => [one]);
}

function some(reminders: readonly Reminder[]): Reminder[][] {
  return reminders.length === 0 ? [] : [[...reminders]];
}
