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
import { readPrivateFile } from '../workspace/privateFile.ts';

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
