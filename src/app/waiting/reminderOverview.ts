/** How a person is reminded and what was sent, for lists. Contains no address of a webhook. */
import { userFolder } from '../../store/journal/stateFile.ts';
import { messageOf } from '../../store/journal/problem.ts';
import { programsOf } from '../../store/journal/programs.ts';
import { isQuiet, type ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import type { InboxOptions } from './inbox.ts';
import { readReminderSettings, readWebhooks } from './reminderFiles.ts';
import { openReminderLog, reminderSender, type SenderRole } from './reminderSender.ts';

export interface ReminderOverview {
  /** Why nothing can be sent. */
  readonly problem: string | null;
  /** The program that sends now. */
  readonly sender: SenderRole | null;
  readonly channels: readonly {
    readonly name: string;
    /** `command`, or the format of a webhook. */
    readonly type: string;
    /** False for a webhook without an address. */
    readonly complete: boolean;
  }[];
  /** Why nothing is sent now, though something may be due. */
  readonly quiet: string | null;
  /** Newest first. */
  readonly deliveries: readonly ReminderDelivery[];
}

interface ReminderDelivery {
  readonly at: string;
  readonly channel: string;
  readonly workspace: string;
  readonly id: string;
  readonly kind: string;
  /** `unknown`: the program that sent it ended in the meantime. It is not sent again. */
  readonly status: 'delivered' | 'retrying' | 'failed' | 'sending' | 'unknown';
  readonly attempt: number;
  readonly why: string | null;
  /** When it is tried again. */
  readonly next: string | null;
}

const shown = 100;
/** No attempt takes longer. Milliseconds. */
const attemptMs = 60_000;

export function reminderOverview(options: InboxOptions): ReminderOverview {
  const place = { ...options, userFolder: userFolder(options) };
  const now = new Date(options.clock()).toISOString();
  const read = readOrReason(() => ({ settings: readReminderSettings(place), webhooks: readWebhooks(place) }));
  const settings = typeof read === 'string' ? null : read.settings;
  const hasAddress = (name: string) => typeof read !== 'string' && read.webhooks.has(name);
  return {
    problem: typeof read === 'string' ? read : null,
    sender: reminderSender(place, programsOf(options.fs, options.clock)),
    channels: (settings?.channels ?? []).map((one) => ({
      name: one.name,
      type: one.type === 'command' ? 'command' : one.format,
      complete: one.type === 'command' || hasAddress(one.name),
    })),
    quiet: settings && quietText(settings, now),
    deliveries: openReminderLog(place)
      .latest()
      .filter(({ status }) => status !== 'replaced')
      .slice(-shown)
      .reverse()
      .map(({ name, status, at, ...one }) => {
        const isOver = status === 'sending' && Date.parse(now) - Date.parse(at) > attemptMs;
        return { ...one, at, kind: kindOf(name, one.id), status: isOver ? 'unknown' : status } as ReminderDelivery;
      }),
  };
}

/** From the name of an occasion, such as `Q-5-critical-3`. */
function kindOf(name: string, id: string): string {
  const rest = name.slice(id.length + 1);
  if (rest === '' || /^(r|new-)\d+$/.test(rest)) return 'new';
  if (/^(response|completion)-/.test(rest)) return 'overdue';
  if (/^changed-\d+$/.test(rest)) return 'changed';
  const [, timed] = /^(escalated|expiring|expired)$/.exec(rest) ?? [];
  return timed ?? (/^replied-\d+$/.test(rest) ? 'replied' : 'reminder');
}

function quietText(settings: ReminderSettings, now: string): string | null {
  const { doNotDisturbUntil: until, quietHours: hours } = settings;
  if (until !== undefined && now < new Date(until).toISOString()) return `Do not disturb until ${until}`;
  return hours && isQuiet({ ...settings, criticalInQuietHours: false }, 'low', now)
    ? `Quiet hours until ${hours.to} (${hours.timeZone})`
    : null;
}

function readOrReason<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return messageOf(error);
  }
}
