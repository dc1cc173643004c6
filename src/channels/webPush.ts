/** Web Push to one browser: a short text without the words of agents, and the path of a page. */
import * as l10n from '@vscode/l10n';
import {
  readPushFile,
  removeSubscription,
  subscriptionName,
  type PushSubscription,
  type Vapid,
  requireSafeAddress,
  type ReminderPlace,
} from '../app/waiting/reminderFiles.ts';
import type { KnownStanding } from '../app/waiting/inbox.ts';
import type { Attempt, Channel } from '../app/waiting/reminderSender.ts';
import type { ReminderMessage } from '../core/waiting/reminderSchedule.ts';
import { postTo, type Post } from './posting.ts';
import webpush from 'web-push';

const timeoutMs = 10_000;

/** A channel for each subscribed browser. */
export function pushChannels(place: ReminderPlace): Channel[] {
  const file = readPushFile(place);
  if (!file) return [];
  return file.subscriptions.map((subscription) => ({
    name: subscriptionName(subscription),
    receives: (from) => ownerOf(subscription, [from]) === 'counts',
    async send(message) {
      const { attempt, isGone } = await push(subscription, file.vapid, contentOf(message));
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

function contentOf(message: ReminderMessage): Content {
  const [first] = message.reminders;
  const payload = JSON.stringify({ text: pushText(message), path: `/open/${first?.id ?? ''}` });
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

/** For a lock screen: it names the workspace, and nothing that an agent wrote. */
function pushText({ reminders, project }: ReminderMessage): string {
  const [first, ...more] = reminders;
  if (more.length > 0) return l10n.t('{0} items are waiting in {1}', reminders.length, project);
  if (first?.kind === 'changed') return l10n.t('Held files were changed in {0}', project);
  if (first?.urgency === 'critical') return l10n.t('A critical question is waiting in {0}', project);
  switch (first?.id.split('-')[0]) {
    case 'Q':
      return l10n.t('A question is waiting in {0}', project);
    case 'RFC':
      return l10n.t('An RFC is waiting in {0}', project);
    case 'R':
      return l10n.t('A request is waiting in {0}', project);
    default:
      return l10n.t('An item is waiting in {0}', project);
  }
}

// What a push service gets: a payload encrypted for one browser (RFC 8291), and who sends it (VAPID, RFC 8292).

/** How long the push service keeps it for a device that is off. Seconds. */
const keptSeconds = 3_600;

export const makeVapid = (): Vapid => webpush.generateVAPIDKeys();

/** @throws Error for malformed keys of the browser or of this machine */
export function pushRequest(
  { endpoint, keys, origin }: PushSubscription,
  vapid: Vapid,
  { payload, urgency }: { readonly payload: string; readonly urgency: 'high' | 'normal' },
): Pick<Post, 'headers' | 'body'> {
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys }, payload, {
    vapidDetails: { subject: origin, ...vapid },
    contentEncoding: 'aes128gcm',
    TTL: keptSeconds,
    urgency,
  });
  // `fetch` counts itself.
  const { 'Content-Length': _, ...others } = headers;
  return { headers: others, body: new Uint8Array(body) };
}
