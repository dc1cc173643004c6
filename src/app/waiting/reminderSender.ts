/**
 * Sends the reminders of all workspaces of this user through their channels. Workspaces are only read. A channel that is
 * slow or fails delays nothing but itself.
 */
import { userFolder } from '../../store/journal/stateFile.ts';
import { messageOf } from '../../store/journal/problem.ts';
import { type Programs, leasesIn, type OwnLease, programsOf } from '../../store/journal/programs.ts';
import { shownLine } from '../../core/kit/text.ts';
import { dueReminders, type Reminder, type ReminderMessage } from '../../core/waiting/reminderSchedule.ts';
import { reminderSettings, type ReminderSettings, isQuiet } from '../../core/waiting/reminderSettings.ts';
import { followStandings, type KnownStanding, type InboxOptions } from './inbox.ts';
import { readReminderSettings, readWebhooks, remindersFolder, type ReminderPlace } from './reminderFiles.ts';
import type { State } from '../../core/state/state.ts';
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/fields.ts';
import { putFile } from '../../store/journal/files.ts';
import { readNote } from '../workspace/thisMachine.ts';

/** How one attempt ended. `why` names no address. */
export type Attempt =
  { readonly outcome: 'delivered' } | { readonly outcome: 'failed'; readonly why: string; readonly isFinal: boolean };

/** A way to reach the person. */
export interface Channel {
  readonly name: string;
  /** Whether it gets the reminders of this workspace; default: of all. */
  readonly receives?: (from: KnownStanding) => boolean;
  /** Never rejects, and ends by itself. */
  send(message: ReminderMessage): Promise<Attempt>;
}

/** Which program of this machine sends: one at a time. */
const senderRoles = ['editor', 'serve', 'remind'] as const;
export type SenderRole = (typeof senderRoles)[number];
const leaseName = 'sender';

function senderLeases({ fs, clock, userFolder }: SenderPlace, programs: Programs) {
  return leasesIn({ fs, clock, folder: remindersFolder(userFolder), programs });
}

type SenderPlace = Pick<ReminderPlace, 'fs' | 'userFolder'> & Pick<InboxOptions, 'clock'>;

/** The running program that sends; null if none does. */
export function reminderSender(place: SenderPlace, programs: Programs): SenderRole | null {
  const lease = senderLeases(place, programs).leaseOf(leaseName);
  return senderRoles.find((one) => lease?.live === true && one === lease.role) ?? null;
}

export interface SenderOptions extends InboxOptions {
  readonly role: SenderRole;
  readonly programs: Programs;
  readonly channels: (
    settings: ReminderSettings,
    webhooks: ReadonlyMap<string, string>,
    /** The states of all workspaces, read once for this pass. */
    look: () => Promise<readonly KnownStanding[]>,
  ) => readonly Channel[] | Promise<readonly Channel[]>;
  /** Scheme of links that open the editor. */
  readonly uriScheme?: string | undefined;
}

/** After each failed attempt; after the last one it is given up. Milliseconds. */
const backoffMs = [30_000, 120_000, 600_000, 1_800_000];
/** Used while the person has set up nothing: browsers that asked for notifications get them. */
const usual = reminderSettings.parse({ v: 1 });

export function openReminderSender(options: SenderOptions) {
  const { clock } = options;
  const place = { ...options, userFolder: userFolder(options) };
  /** Read when this program begins to send. */
  let log!: ReturnType<typeof openReminderLog>;
  const leases = senderLeases(place, options.programs);
  let lease: OwnLease | null = null;
  const standings = followStandings(options);
  const busy = new Set<string>();
  let isSending = false;
  let closed = false;
  let problem: string | null = null;

  const now = () => new Date(clock()).toISOString();

  /** Sends due reminders, if this program is the one that sends. Resolves when each attempt has ended. */
  async function pass(): Promise<void> {
    try {
      const wasSending = isSending;
      if (!lease?.isValid()) lease = leases.take(leaseName, options.role);
      isSending = lease !== null;
      if (!isSending) return;
      // Another program may have sent until now.
      if (!wasSending) log = openReminderLog(place);
      const settings = readReminderSettings(place) ?? usual;
      problem = null;
      let looked: Promise<readonly KnownStanding[]> | undefined;
      const look = () => (looked ??= standings.look());
      const channels = await options.channels(settings, readWebhooks(place), look);
      if (channels.length === 0) return;
      const known = await look();
      if (closed) return;
      if (log.isLong()) {
        const isOver = overIn(known, now());
        log.shorten(({ workspace, id, at }) => isOver(workspace, id, at));
      }
      await Promise.all(channels.map((channel) => serve(channel, settings, known)));
    } catch (error) {
      problem = messageOf(error);
    }
  }

  async function serve(channel: Channel, settings: ReminderSettings, known: readonly KnownStanding[]): Promise<void> {
    if (busy.has(channel.name)) return;
    busy.add(channel.name);
    try {
      for (const one of known) {
        if (channel.receives?.(one) === false) continue;
        const { workspace, project, state } = one;
        const isSent = (name: string) => isDone(log.find({ channel: channel.name, workspace, name }));
        const due = dueReminders(state, { settings, now: now(), isSent });
        for (const reminders of groupReminders(due.filter(({ how }) => how === 'now'))) {
          const link = linkTo(options.uriScheme, settings, { workspace, id: reminders[0]?.id ?? '' });
          await send(channel, { reminders, project: shownLine(project), workspace, link });
        }
      }
    } finally {
      busy.delete(channel.name);
    }
  }

  /** Whether nothing more is to be done now. */
  function isDone(last: Delivery | undefined): boolean {
    return last !== undefined && !(last.status === 'retrying' && (last.next ?? '') <= now());
  }

  async function send(channel: Channel, message: ReminderMessage): Promise<void> {
    const of = { channel: channel.name, workspace: message.workspace };
    const attempts = message.reminders.map((one) => ({
      one,
      attempt: (log.find({ ...of, name: one.name })?.attempt ?? 0) + 1,
    }));
    const replaced = message.reminders.flatMap(({ id, replaces }) =>
      replaces
        .filter((name) => !log.find({ ...of, name }))
        .map((name) => line(of, { id, name }, { status: 'replaced' })),
    );
    log.add(...attempts.map(({ one, attempt }) => line(of, one, { status: 'sending', attempt })), ...replaced);
    const ended = await channel.send(message);
    // The next program that sends has read the log by now: to it, this attempt's end is unknown.
    if (closed) return;
    log.add(
      ...attempts.map(({ one, attempt }) => {
        if (ended.outcome === 'delivered') return line(of, one, { status: 'delivered', attempt });
        const wait = ended.isFinal ? undefined : backoffMs[attempt - 1];
        const next = wait === undefined ? null : new Date(clock() + wait).toISOString();
        return line(of, one, { status: next === null ? 'failed' : 'retrying', attempt, why: ended.why, next });
      }),
    );
  }

  function line(
    of: Pick<Delivery, 'channel' | 'workspace'>,
    { id, name }: Pick<Delivery, 'id' | 'name'>,
    more: Partial<Delivery> & Pick<Delivery, 'status'>,
  ): Delivery {
    return { at: now(), ...of, id, name, attempt: 0, why: null, next: null, ...more };
  }

  return {
    pass,
    /** Whether it sends, and why nothing is sent if the settings cannot be used. */
    status: () => ({ isSending, problem }),
    close() {
      closed = true;
      standings.close();
      lease?.release();
    },
  };
}

function linkTo(
  scheme = 'vscode',
  { page }: ReminderSettings,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): string {
  const base = page ?? `${scheme}://holdpoint.holdpoint`;
  return `${base}/open/${id}?workspace=${encodeURIComponent(workspace)}`;
}

// Which items no reminder can be due for any more, as far as this machine knows.

const dayMs = 24 * 60 * 60 * 1_000;
/** A folder that was away for so long is not expected back. */
const awayMs = 90 * dayMs;

/** @param now ISO 8601, as `at`, when the item was last reminded of */
function overIn(known: readonly KnownStanding[], now: string): (workspace: string, id: string, at: string) => boolean {
  const states = new Map(known.map(({ workspace, state }) => [workspace, state]));
  return (workspace, id, at) => {
    const age = Date.parse(now) - Date.parse(at);
    const state = states.get(workspace);
    // An item that ended a moment ago may still be shown, or be in what another program has read.
    return state ? age > dayMs && !isWaiting(state, id) : age > awayMs;
  };
}

function isWaiting(state: State, id: string): boolean {
  if (state.requests.has(id) || state.heldFiles.has(id)) return true;
  return state.questions.get(id)?.resolution === null || state.rfcs.get(id)?.ended === null;
}

/** More than this many of one workspace together become one message. */
const singlyAtMost = 3;
/** So many of one agent together become one message. */
const burst = 3;

/** Groups the due reminders of a workspace into messages. */
function groupReminders(reminders: readonly Reminder[]): Reminder[][] {
  if (reminders.length > singlyAtMost) return [[...reminders]];
  const isBurst = reminders.length >= burst && new Set(reminders.map(({ askedBy }) => askedBy)).size === 1;
  return isBurst ? [[...reminders]] : reminders.map((one) => [one]);
}

const entry = z.object({
  at: instant,
  channel: z.string(),
  /** Ids of the workspace and of the item, and the name of the occasion. */
  workspace: z.string(),
  id: z.string(),
  name: z.string(),
  /** `sending` in a later run: the program ended in the meantime, and it is not known whether it arrived. */
  status: z.enum(['sending', 'delivered', 'retrying', 'failed', 'replaced']),
  attempt: z.int().min(0),
  why: z.string().nullable(),
  /** For `retrying`. */
  next: instant.nullable(),
});
export type Delivery = z.infer<typeof entry>;

const longest = 2_000;
const shown = 500;

/** Reads it once. A file that cannot be read is treated as empty: at worst, something is sent again. */
export function openReminderLog(place: ReminderPlace) {
  const file = path.join(remindersFolder(place.userFolder), 'sent.json');
  let all = new Map((readNote(place.fs, file, z.array(entry)) ?? []).map((one) => [keyOf(one), one]));
  /** Occasions that still wait can fill more than the usual length. */
  let limit = longest;

  function save(): void {
    putFile(place, file, JSON.stringify([...all.values()]));
  }

  return {
    /** The latest of each occasion and channel, oldest first. */
    latest: () => [...all.values()],
    find: (of: Pick<Delivery, 'channel' | 'workspace' | 'name'>) => all.get(keyOf(of)),
    /** @throws Error when the disk refuses: then nothing may be sent */
    add(...deliveries: readonly Delivery[]) {
      for (const one of deliveries) {
        all.delete(keyOf(one));
        all.set(keyOf(one), entry.parse(one));
      }
      save();
    },
    /** Whether it has become so long that what is over should be removed. */
    isLong: () => all.size > limit,
    /** Removes what can no longer be due; the last ones stay for lists. */
    shorten(isOver: (delivery: Delivery) => boolean) {
      const firstShown = all.size - shown;
      all = new Map([...all].filter(([, one], index) => index >= firstShown || !isOver(one)));
      limit = Math.max(longest, 2 * all.size);
      save();
    },
  };
}

function keyOf({ channel, workspace, name }: Pick<Delivery, 'channel' | 'workspace' | 'name'>): string {
  return `${channel} ${workspace} ${name}`;
}

// How a person is reminded and what was sent, for lists. Contains no address of a webhook.

export interface ReminderOverview extends ReturnType<typeof reminderOverview> {}

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

const shownAtMost = 100;
/** No attempt takes longer. Milliseconds. */
const attemptMs = 60_000;

export function reminderOverview(options: InboxOptions) {
  const place = { ...options, userFolder: userFolder(options) };
  const now = new Date(options.clock()).toISOString();
  const read = readOrReason(() => ({ settings: readReminderSettings(place), webhooks: readWebhooks(place) }));
  const settings = typeof read === 'string' ? null : read.settings;
  const hasAddress = (name: string) => typeof read !== 'string' && read.webhooks.has(name);
  return {
    /** Why nothing can be sent. */
    problem: typeof read === 'string' ? read : null,
    /** The program that sends now. */
    sender: reminderSender(place, programsOf(options.fs, options.clock)),
    channels: (settings?.channels ?? []).map((one) => ({
      name: one.name,
      /** `command`, or the format of a webhook. */
      type: one.type === 'command' ? 'command' : one.format,
      /** False for a webhook without an address. */
      complete: one.type === 'command' || hasAddress(one.name),
    })),
    /** Why nothing is sent now, though something may be due. */
    quiet: settings && quietText(settings, now),
    /** Newest first. */
    deliveries: openReminderLog(place)
      .latest()
      .filter(({ status }) => status !== 'replaced')
      .slice(-shownAtMost)
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
