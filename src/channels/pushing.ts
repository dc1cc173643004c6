/** Sends Web Push from the server. It needs no lease: each attempt is claimed, so two servers never send one twice. */
import { openReminderSender } from '../app/waiting/reminderSender.ts';
import type { ReminderSender, SenderOptions } from '../app/waiting/reminderSender.ts';
import { reminderSettings } from '../core/waiting/reminderSettings.ts';
import { programsOf } from '../store/journal/programs.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import { endGivenUp, pushChannels } from './webPush.ts';
import type { PushText } from './webPush.ts';

type PushingOptions = Omit<SenderOptions, 'programs' | 'channels' | 'prepare' | 'role' | 'lease' | 'usual'> & {
  /** What a notification says, in the language of its readers. */
  readonly textOf: PushText;
};

/** How often it looks for what is due. Milliseconds. */
const everyMs = 10_000;

export function pushSender(options: PushingOptions): ReminderSender {
  const place = { ...options, userFolder: userFolder(options) };
  return openReminderSender({
    ...options,
    role: 'serve',
    programs: programsOf(options.fs, options.clock),
    lease: { hold: () => true, release: () => undefined },
    usual: reminderSettings.parse({ v: 1 }),
    channels: () => pushChannels(place, options.textOf),
    prepare: (known) => {
      endGivenUp(place, known);
    },
  });
}

export function startPushing(options: PushingOptions): { close(): void } {
  const sender = pushSender(options);
  const timer = setInterval(() => void sender.pass(), everyMs);
  return {
    close() {
      clearInterval(timer);
      sender.close();
    },
  };
}
