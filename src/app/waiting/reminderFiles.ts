/**
 * The files of reminders in the user-level folder: how this person wants to be reminded, and the addresses of webhooks,
 * which are secrets. No workspace has a part in them, so a clone or an agent's edit of its folder changes nothing here.
 */
import path from 'node:path';
import * as z from 'zod';
import { isThisMachine } from '../../core/kit/quickChecks.ts';
import { channelName, reminderSettings, type ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import { putFile, readOrNull, type FileSystem } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { readPrivateFile } from '../workspace/thisMachine.ts';
import { instant } from '../../core/kit/fields.ts';

export interface ReminderPlace {
  readonly fs: FileSystem;
  readonly userFolder: string;
  readonly platform: NodeJS.Platform;
  readonly newId: () => string;
}

const secrets = z.strictObject({ v: z.literal(1), webhooks: z.record(channelName, z.string()) });

export function settingsFile(userFolder: string): string {
  return path.join(userFolder, 'reminders.json');
}

export function remindersFolder(userFolder: string): string {
  return path.join(userFolder, 'reminders');
}

function secretsFile(userFolder: string): string {
  return path.join(userFolder, 'reminders.secrets.json');
}

/**
 * Null: this person has set up nothing.
 * @throws AppError `bad_input` if other users can change the file, or it is malformed: then nothing is sent
 */
export function readReminderSettings(place: ReminderPlace): ReminderSettings | null {
  const file = settingsFile(place.userFolder);
  return readPrivateFile({ ...place, file, schema: reminderSettings, closed: 0o022 });
}

/** @throws ZodError for malformed settings */
export function writeReminderSettings(place: ReminderPlace, settings: z.input<typeof reminderSettings>): void {
  const content = `${JSON.stringify(reminderSettings.parse(settings), null, 2)}\n`;
  putFile(place, settingsFile(place.userFolder), content);
}

/**
 * Addresses of webhooks by the name of their channel.
 * @throws AppError `bad_input` if other users can read the file, or it is malformed
 */
export function readWebhooks(place: ReminderPlace): ReadonlyMap<string, string> {
  const file = secretsFile(place.userFolder);
  return new Map(Object.entries(readPrivateFile({ ...place, file, schema: secrets })?.webhooks ?? {}));
}

/** @throws AppError `bad_input` for an address that nothing may be sent to */
export function writeWebhook(place: ReminderPlace, name: string, address: string | null): void {
  if (address !== null) requireSafeAddress(address);
  const all = Object.fromEntries([...readWebhooks(place)].filter(([known]) => known !== name));
  const content = secrets.parse({ v: 1, webhooks: address === null ? all : { ...all, [name]: address } });
  putFile(place, secretsFile(place.userFolder), `${JSON.stringify(content)}\n`);
}

/** The messages never repeat the address. @throws AppError `bad_input` */
export function requireSafeAddress(address: string): URL {
  const url = urlOrNull(address);
  if (!url) throw new AppError('bad_input', 'this is not a web address');
  if (url.username !== '' || url.password !== '')
    throw new AppError('bad_input', 'the address must not contain a user name or password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))) return url;
  throw new AppError('bad_input', 'the address must begin with https:// (http:// only on this machine)');
}

function urlOrNull(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Changes with each change of the settings and addresses, by any program. */
export function settingsDigest({ fs, userFolder }: Pick<ReminderPlace, 'fs' | 'userFolder'>): string {
  const files = [settingsFile(userFolder), secretsFile(userFolder)];
  return sha256(JSON.stringify(files.map((file) => readOrNull(fs, file)?.toString('base64') ?? null)));
}

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
