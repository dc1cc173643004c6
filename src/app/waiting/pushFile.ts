/**
 * Browsers that get Web Push, and the key pair with which their push services know this machine (VAPID). In the
 * user-level folder: no workspace has a part in it.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/fields.ts';
import { putFile } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { readPrivateFile } from '../workspace/privateFile.ts';
import { requireSafeAddress, type ReminderPlace } from './reminderFiles.ts';

export const browserKeys = z.strictObject({ p256dh: z.base64url().max(200), auth: z.base64url().max(100) });

const subscription = z.strictObject({
  /** An address of the browser's push service: who knows it can send, so it is a secret. */
  endpoint: z.url().max(2_000),
  keys: browserKeys,
  /** The page that subscribed, and the workspace that it shows. */
  origin: z.url(),
  workspace: z.string(),
  keyid: z.string(),
  addedAt: instant,
});
export type PushSubscription = Readonly<z.infer<typeof subscription>>;

const vapid = z.strictObject({ publicKey: z.base64url(), privateKey: z.base64url() });
export type Vapid = Readonly<z.infer<typeof vapid>>;

const pushFile = z.strictObject({ v: z.literal(1), vapid, subscriptions: z.array(subscription) });
export type PushFile = Readonly<z.infer<typeof pushFile>>;

const subscriptionsAtMost = 50;

/** Null before the first use. @throws AppError `bad_input` if other users can read the file, or it is malformed */
export function readPushFile({ fs, platform, userFolder }: ReminderPlace): PushFile | null {
  return readPrivateFile({ fs, platform, file: fileOf(userFolder), schema: pushFile });
}

/** The public key that browsers subscribe with. @param makeKeys called on the first use */
export function pushKey(place: ReminderPlace, makeKeys: () => Vapid): string {
  const known = readPushFile(place);
  if (known) return known.vapid.publicKey;
  const made = makeKeys();
  write(place, { v: 1, vapid: made, subscriptions: [] });
  return made.publicKey;
}

/** @throws AppError `bad_input` for an address that nothing may be sent to, or too many */
export function addSubscription(place: ReminderPlace, added: PushSubscription): void {
  requireSafeAddress(added.endpoint);
  const file = readPushFile(place);
  if (!file) throw new AppError('bad_input', 'this machine has no key for Web Push yet');
  const others = file.subscriptions.filter(({ endpoint }) => endpoint !== added.endpoint);
  if (others.length >= subscriptionsAtMost) throw new AppError('bad_input', 'too many browsers get notifications');
  write(place, { ...file, subscriptions: [...others, added] });
}

export function removeSubscription(place: ReminderPlace, endpoint: string): void {
  const file = readPushFile(place);
  if (!file?.subscriptions.some((one) => one.endpoint === endpoint)) return;
  write(place, { ...file, subscriptions: file.subscriptions.filter((one) => one.endpoint !== endpoint) });
}

/** Names a subscription in lists and records, which do not show its address. */
export function subscriptionName({ endpoint }: Pick<PushSubscription, 'endpoint'>): string {
  return `push-${sha256(endpoint).slice(0, 8)}`;
}

function fileOf(userFolder: string): string {
  return path.join(userFolder, 'reminders.push.json');
}

function write(place: ReminderPlace, file: PushFile): void {
  putFile(place, fileOf(place.userFolder), `${JSON.stringify(pushFile.parse(file))}\n`);
}
