/** What a push service gets: a payload encrypted for one browser (RFC 8291), and who sends it (VAPID, RFC 8292). */
import webpush from 'web-push';
import type { PushSubscription, Vapid } from '../app/waiting/reminderFiles.ts';
import type { Post } from './posting.ts';

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
