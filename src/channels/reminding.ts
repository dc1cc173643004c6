/** Sends reminders from a program that keeps running: the editor, the server or `holdpoint remind`. */
import type { KnownStanding } from '../app/waiting/inbox.ts';
import { openReminderSender, type Channel, type SenderOptions, type Attempt } from '../app/waiting/reminderSender.ts';
import { programsOf } from '../store/journal/programs.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import { postTo } from './posting.ts';
import { readPushFile, requireSafeAddress, type ReminderPlace } from '../app/waiting/reminderFiles.ts';
import type { ReminderSettings, WebhookFormat } from '../core/waiting/reminderSettings.ts';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { commandEnvironment, webhookBody } from '../core/waiting/reminderSchedule.ts';

// Runs a person's own program for each reminder, without a shell: texts are environment variables, never code.

interface CommandOptions {
  readonly name: string;
  readonly argv: readonly string[];
  /** The program runs here: not in a workspace, where an agent could put files next to it. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number | undefined;
}

const usualTimeoutMs = 10_000;

export function commandChannel({ name, argv, home, env, timeoutMs = usualTimeoutMs }: CommandOptions): Channel {
  const [program, ...args] = argv;
  return {
    name,
    send(message) {
      if (program === undefined || !path.isAbsolute(program))
        return Promise.resolve(failedAttempt('its program must be an absolute path', true));
      return new Promise<Attempt>((resolve) => {
        const child = spawn(program, args, {
          cwd: home,
          env: { ...env, ...commandEnvironment(message) },
          shell: false,
          stdio: 'ignore',
          windowsHide: true,
        });
        const timer = setTimeout(() => {
          child.kill('SIGKILL');
          resolve(failedAttempt(`still running after ${String(timeoutMs / 1000)} s`, false));
        }, timeoutMs);
        const end = (attempt: Attempt) => {
          clearTimeout(timer);
          resolve(attempt);
        };
        child.on('error', (error: NodeJS.ErrnoException) => {
          end(failedAttempt(`not started (${error.code ?? 'unknown'})`, true));
        });
        child.on('exit', (code, signal) => {
          end(code === 0 ? { outcome: 'delivered' } : failedAttempt(`exit code ${String(code ?? signal)}`, false));
        });
      });
    },
  };
}

function failedAttempt(why: string, isFinal: boolean): Attempt {
  return { outcome: 'failed', why, isFinal };
}

// Posts reminders to a webhook. Its address is a secret: no result, error or log contains a part of it.

interface WebhookOptions {
  readonly name: string;
  readonly format: WebhookFormat;
  readonly address: string | undefined;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number | undefined;
}

export function webhookChannel({ name, format, address, timeoutMs = usualTimeoutMs }: WebhookOptions): Channel {
  return {
    name,
    async send(message) {
      const url = parseAddress(address);
      if (typeof url === 'string') return { outcome: 'failed', why: url, isFinal: true };
      const { attempt } = await postTo(url, {
        headers: { 'content-type': 'application/json', 'user-agent': 'holdpoint' },
        body: JSON.stringify(webhookBody(format, message)),
        timeoutMs,
      });
      return attempt;
    },
  };
}

/** The URL, or why it is not used. */
function parseAddress(address: string | undefined): URL | string {
  if (address === undefined) return 'no address is set';
  try {
    return requireSafeAddress(address);
  } catch {
    return 'the address is not allowed';
  }
}

export type RemindingOptions = Omit<SenderOptions, 'programs' | 'channels'> & {
  /** Called after each look for due reminders. */
  readonly onPass?: (status: { readonly isSending: boolean; readonly problem: string | null }) => void;
};

/** How often it looks for due reminders. Milliseconds. */
const everyMs = 10_000;

/** @param isKeptRunning whether it keeps the program running */
export function startReminding(options: RemindingOptions, isKeptRunning = false) {
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
    /** Resolves when the reminders that were due at the start are sent. */
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
