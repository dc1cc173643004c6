/**
 * Sends the reminders of all workspaces of this user through their channels. Workspaces are only read. A channel that is
 * slow or fails delays nothing but itself.
 */
import { userFolder } from '../../store/journal/stateFile.ts';
import { messageOf } from '../../store/journal/problem.ts';
import type { Programs } from '../../store/journal/programs.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { ReminderMessage } from '../../core/waiting/reminderFormats.ts';
import { dueReminders } from '../../core/waiting/reminderSchedule.ts';
import type { Reminder } from '../../core/waiting/reminder.ts';
import { interruptionsOf } from '../../core/state/interruptions.ts';
import type { ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import { followStandings } from './knownStandings.ts';
import type { KnownStanding } from './knownStandings.ts';
import type { InboxOptions } from './inbox.ts';
import { readReminderSettings, readWebhooks } from './reminderFiles.ts';
import { openReminderLease } from './reminderLease.ts';
import type { ReminderLease, SenderRole } from './reminderLease.ts';
import { messagesOf } from './reminderMessages.ts';
import { overIn } from './overItems.ts';
import { openReminderLog } from './reminderLog.ts';
import type { Delivery } from './reminderLog.ts';

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

export interface SenderOptions extends InboxOptions {
  readonly role: SenderRole;
  readonly programs: Programs;
  readonly channels: (settings: ReminderSettings, webhooks: ReadonlyMap<string, string>) => readonly Channel[];
  /** Used while the person has set up nothing; default: nothing is sent then. */
  readonly usual?: ReminderSettings | undefined;
  /** Called before each pass sends. */
  readonly prepare?: ((known: readonly KnownStanding[]) => void) | undefined;
  /** Default: one program of this machine sends. */
  readonly lease?: Pick<ReminderLease, 'hold' | 'release'> | undefined;
  /** Scheme of links that open the editor. */
  readonly uriScheme?: string | undefined;
}

export interface ReminderSender {
  /** Sends what is due, if this program is the one that sends. Resolves when each attempt has ended. */
  pass(): Promise<void>;
  /** Whether it sends, and why nothing is sent if the settings cannot be used. */
  status(): { readonly isSending: boolean; readonly problem: string | null };
  close(): void;
}

/** After each failed attempt; after the last one it is given up. Milliseconds. */
const backoffMs = [30_000, 120_000, 600_000, 1_800_000];
/** The line of the log that has the time of a channel's last digest. */
const digestName = 'digest';

export function openReminderSender(options: SenderOptions): ReminderSender {
  const { clock } = options;
  const place = { ...options, userFolder: userFolder(options) };
  const log = openReminderLog(place);
  const lease = options.lease ?? openReminderLease(place);
  const standings = followStandings(options);
  const busy = new Set<string>();
  let isSending = false;
  let closed = false;
  let problem: string | null = null;

  const now = () => new Date(clock()).toISOString();

  async function pass(): Promise<void> {
    try {
      isSending = lease.hold();
      if (!isSending) return;
      if (log.isLong) await shorten();
      const settings = readReminderSettings(place) ?? options.usual;
      problem = null;
      const channels = settings ? options.channels(settings, readWebhooks(place)) : [];
      if (!settings || channels.length === 0) return;
      const known = await standings.look();
      options.prepare?.(known);
      await Promise.all(channels.map((channel) => serve(channel, settings, known)));
    } catch (error) {
      problem = messageOf(error);
    }
  }

  /** The lease names one program of this machine, which alone shortens the log. */
  async function shorten(): Promise<void> {
    const isOver = overIn(await standings.look(), now());
    // One that sends without the lease takes it for this moment, if it is free.
    const turn = options.lease ? openReminderLease(place) : lease;
    if (!closed && turn.hold()) log.shorten(({ workspace, id, at }) => id !== digestName && isOver(workspace, id, at));
    if (turn !== lease) turn.release();
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
        const of = { channel: channel.name, workspace };
        const messages = messagesOf(due, {
          times: {
            minutes: interruptionsOf(state.policy).digestMinutes,
            now: now(),
            last: log.find({ ...of, name: digestName })?.at ?? null,
          },
          isRetry: ({ name }) => log.find({ ...of, name }) !== undefined,
          claimDigest: () => claimDigest(of),
        });
        for (const reminders of messages) {
          const link = linkTo(options.uriScheme, settings, { workspace, id: reminders[0]?.id ?? '' });
          await send(channel, { reminders, project: shownLine(project), workspace, link });
        }
      }
    } finally {
      busy.delete(channel.name);
    }
  }

  /** The claim is for this minute: a program that comes later finds the line, and that the digest is not due. */
  function claimDigest(of: { readonly channel: string; readonly workspace: string }): boolean {
    const minute = String(Math.floor(clock() / 60_000));
    if (!log.claim({ ...of, name: `${digestName}-${minute}`, attempt: 1 })) return false;
    log.add({
      ...{ at: now(), ...of, id: digestName, name: digestName },
      ...{ status: 'replaced', attempt: 0, why: null, next: null },
    });
    return true;
  }

  /** Whether nothing more is to be done now. */
  function isDone(last: Delivery | undefined): boolean {
    return last !== undefined && !(last.status === 'retrying' && (last.next ?? '') <= now());
  }

  async function send(channel: Channel, message: ReminderMessage): Promise<void> {
    const { workspace } = message;
    const of = { channel: channel.name, workspace };
    const attemptOf = ({ name }: Reminder) => (log.find({ ...of, name })?.attempt ?? 0) + 1;
    const ours = message.reminders.filter((one) => log.claim({ ...of, name: one.name, attempt: attemptOf(one) }));
    if (ours.length === 0) return;
    const attempts = ours.map((one) => ({ one, attempt: attemptOf(one) }));
    const note = (one: Reminder, more: Pick<Delivery, 'status' | 'attempt' | 'why' | 'next'>) => {
      log.add({ at: now(), ...of, id: one.id, name: one.name, ...more });
    };
    for (const { one, attempt } of attempts) {
      note(one, { status: 'sending', attempt, why: null, next: null });
      for (const name of one.replaces)
        if (!log.find({ ...of, name }))
          log.add({ at: now(), ...of, id: one.id, name, status: 'replaced', attempt: 0, why: null, next: null });
    }
    const ended = await channel.send({ ...message, reminders: ours });
    for (const { one, attempt } of attempts) {
      if (ended.outcome === 'delivered') {
        note(one, { status: 'delivered', attempt, why: null, next: null });
        continue;
      }
      const wait = ended.isFinal ? undefined : backoffMs[attempt - 1];
      const next = wait === undefined ? null : new Date(clock() + wait).toISOString();
      note(one, { status: next === null ? 'failed' : 'retrying', attempt, why: ended.why, next });
    }
  }

  return {
    pass,
    status: () => ({ isSending, problem }),
    close() {
      closed = true;
      standings.close();
      lease.release();
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
