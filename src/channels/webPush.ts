/** Web Push to one browser: a short text without the words of agents, and the path of a page. */
import { readPushFile, removeSubscription, subscriptionName } from '../app/waiting/pushFile.ts';
import type { KnownStanding } from '../app/waiting/knownStandings.ts';
import type { PushSubscription, Vapid } from '../app/waiting/pushFile.ts';
import { requireSafeAddress } from '../app/waiting/reminderFiles.ts';
import type { ReminderPlace } from '../app/waiting/reminderFiles.ts';
import type { Attempt, Channel } from '../app/waiting/reminderSender.ts';
import type { ReminderMessage } from '../core/waiting/reminderFormats.ts';
import { postTo } from './posting.ts';
import { pushRequest } from './pushRequest.ts';

const timeoutMs = 10_000;

export type PushText = (message: ReminderMessage) => string;

/** A channel for each subscribed browser. */
export function pushChannels(place: ReminderPlace, textOf: PushText): Channel[] {
  const file = readPushFile(place);
  if (!file) return [];
  return file.subscriptions.map((subscription) => ({
    name: subscriptionName(subscription),
    receives: (from) => ownerOf(subscription, [from]) === 'counts',
    async send(message) {
      const { attempt, isGone } = await push(subscription, file.vapid, contentOf(message, textOf));
      if (isGone) removeSubscription(place, subscription.endpoint);
      return attempt;
    },
  }));
}

/** A browser whose passkey was given up or removed gets no more notifications. */
export function endGivenUp(place: ReminderPlace, known: readonly KnownStanding[]): void {
  for (const one of readPushFile(place)?.subscriptions ?? [])
    if (ownerOf(one, known) === 'givenUp') removeSubscription(place, one.endpoint);
}

/** Whether the passkey that subscribed counts in its workspace. `unknown` also while the keys there are not known. */
function ownerOf({ workspace, keyid }: PushSubscription, known: readonly KnownStanding[]) {
  const keys = known.find((one) => one.workspace === workspace)?.keys ?? [];
  const owner = keys.find((key) => key.keyid === keyid);
  if (!owner) return 'unknown';
  return owner.retired ? 'givenUp' : 'counts';
}

interface Content {
  readonly payload: string;
  readonly urgency: 'high' | 'normal';
}

function contentOf(message: ReminderMessage, textOf: PushText): Content {
  const [first] = message.reminders;
  const payload = JSON.stringify({ text: textOf(message), path: `/open/${first?.id ?? ''}` });
  return { payload, urgency: first?.urgency === 'critical' ? 'high' : 'normal' };
}

async function push(
  subscription: PushSubscription,
  vapid: Vapid,
  content: Content,
): Promise<{ readonly attempt: Attempt; readonly isGone: boolean }> {
  const { endpoint } = subscription;
  const request = requestOrNull(subscription, vapid, content);
  if (!request)
    return {
      attempt: { outcome: 'failed', why: 'the keys of the browser are malformed', isFinal: true },
      isGone: true,
    };
  const { attempt, status } = await postTo(requireSafeAddress(endpoint), { ...request, timeoutMs });
  if (status !== 404 && status !== 410) return { attempt, isGone: false };
  return { attempt: { outcome: 'failed', why: 'the browser has unsubscribed', isFinal: true }, isGone: true };
}

function requestOrNull(...asked: Parameters<typeof pushRequest>): ReturnType<typeof pushRequest> | null {
  try {
    return pushRequest(...asked);
  } catch {
    return null;
  }
}
