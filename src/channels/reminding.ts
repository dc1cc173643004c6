/** Sends reminders from a program that keeps running: the editor, the server or `holdpoint remind`. */
import type { KnownStanding } from '../app/waiting/knownStandings.ts';
import { readPushFile } from '../app/waiting/pushFile.ts';
import type { ReminderPlace } from '../app/waiting/reminderFiles.ts';
import {
  openReminderSender,
  type Channel,
  type ReminderSender,
  type SenderOptions,
} from '../app/waiting/reminderSender.ts';
import type { ReminderSettings } from '../core/waiting/reminderSettings.ts';
import { programsOf } from '../store/journal/programs.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import { commandChannel } from './command.ts';
import { webhookChannel } from './webhook.ts';

export type RemindingOptions = Omit<SenderOptions, 'programs' | 'channels'> & {
  /** Called after each look at what is due. */
  readonly onPass?: (status: ReturnType<ReminderSender['status']>) => void;
};

/** How often it looks for what is due. Milliseconds. */
const everyMs = 10_000;

export interface Reminding {
  /** Resolves when what was due at the start was sent. */
  readonly first: Promise<void>;
  close(): void;
}

/** @param isKeptRunning whether it keeps the program running */
export function startReminding(options: RemindingOptions, isKeptRunning = false): Reminding {
  const place = { ...options, userFolder: userFolder(options) };
  const sender = openReminderSender({
    ...options,
    programs: programsOf(options.fs, options.clock),
    channels: async (settings, webhooks, look) => [
      ...channelsOf(options, settings, webhooks),
      ...(await browsers(place, look)),
    ],
  });
  const pass = async () => {
    await sender.pass();
    options.onPass?.(sender.status());
  };
  const timer = setInterval(() => void pass(), everyMs);
  if (!isKeptRunning) timer.unref();
  return {
    first: pass(),
    close() {
      clearInterval(timer);
      sender.close();
    },
  };
}

async function browsers(
  place: ReminderPlace,
  look: () => Promise<readonly KnownStanding[]>,
): Promise<readonly Channel[]> {
  if (!readPushFile(place)?.subscriptions.length) return [];
  const { endGivenUp, pushChannels } = await import('./webPush.ts');
  endGivenUp(place, await look());
  return pushChannels(place);
}

export function channelsOf(
  { home, env }: Pick<SenderOptions, 'home' | 'env'>,
  { channels }: ReminderSettings,
  webhooks: ReadonlyMap<string, string>,
): Channel[] {
  return channels.map((one) =>
    one.type === 'webhook'
      ? webhookChannel({ name: one.name, format: one.format, address: webhooks.get(one.name) })
      : commandChannel({ name: one.name, argv: one.argv, home, env }),
  );
}
