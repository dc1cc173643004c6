/** "Holdpoint: Reminders…": how this person is reminded outside of the editor, and what was sent. Decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../store/journal/problem.ts';
import {
  readReminderSettings,
  settingsDigest,
  settingsFile,
  writeReminderSettings,
} from '../../app/waiting/reminderFiles.ts';
import { reminderOverview, type ReminderOverview } from '../../app/waiting/reminderOverview.ts';
import { reminderSettings, rulesOf, type ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, withoutIcons } from '../kit/messages.ts';
import { addCommand, addWebhook, channelMenu } from './channelMenu.ts';
import { acceptSettings, reminderPlace } from './reminders.ts';
import { urgencies } from '../../core/kit/words.ts';
import { urgencyWord } from '../../ui/kit/rows.ts';

interface Choice extends vscode.QuickPickItem {
  /** Returns the settings to save; undefined for none. */
  readonly run?: (settings: ReminderSettings) => Promise<ReminderSettings | undefined>;
}

export function registerReminderMenu({ secrets }: vscode.ExtensionContext): Closable {
  return vscode.commands.registerCommand(ids.commands.reminders, async () => {
    try {
      await showMenu(secrets);
    } catch (error) {
      const open = l10n.t('Open settings file');
      if ((await failure(messageOf(error), open)) === open) await openFile();
    }
  });
}

async function showMenu(secrets: vscode.SecretStorage): Promise<void> {
  const settings = readReminderSettings(reminderPlace()) ?? reminderSettings.parse({ v: 1 });
  const overview = reminderOverview(reminderPlace());
  const picked = await vscode.window.showQuickPick(choices(settings, overview), {
    title: l10n.t('Reminders'),
    placeHolder: placeholder(overview),
  });
  const before = settingsDigest(reminderPlace());
  const next = await picked?.run?.(settings);
  if (next) writeReminderSettings(reminderPlace(), next);
  const after = settingsDigest(reminderPlace());
  if (after !== before) await acceptSettings(secrets, after);
}

function placeholder({ channels, sender, quiet }: ReminderOverview): string {
  if (channels.length === 0) return l10n.t('Add a webhook or a command to be reminded outside of the editor.');
  if (quiet !== null) return l10n.t('Nothing is sent now.');
  return sender === 'editor'
    ? l10n.t('An editor sends reminders.')
    : l10n.t('Reminders are sent while an editor or “holdpoint remind” runs.');
}

function choices(settings: ReminderSettings, { channels, deliveries }: ReminderOverview): Choice[] {
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const [last] = deliveries;
  return [
    heading(l10n.t('Channels')),
    ...channels.map(({ name, type, complete }): Choice => ({
      label: `$(${complete ? 'broadcast' : 'warning'}) ${name}`,
      description: complete ? type : l10n.t('{0}, no address', type),
      run: (now) => channelMenu(now, name),
    })),
    { label: `$(add) ${l10n.t('Add a webhook…')}`, run: addWebhook },
    { label: `$(add) ${l10n.t('Add a command…')}`, run: addCommand },
    heading(l10n.t('When')),
    {
      label: `$(bell-slash) ${l10n.t('Do not disturb…')}`,
      description: whenWords(settings).silent,
      run: askDoNotDisturb,
    },
    {
      label: `$(clock) ${l10n.t('Quiet hours…')}`,
      description: whenWords(settings).quiet,
      run: askQuietHours,
    },
    { label: `$(watch) ${l10n.t('First and repeated reminders…')}`, run: askRules },
    heading(l10n.t('Sent')),
    {
      label: `$(history) ${l10n.t('Sent messages…')}`,
      description: last ? withoutIcons(deliveryWords(last).label) : l10n.t('nothing yet'),
      run: showDeliveries,
    },
    {
      label: `$(go-to-file) ${l10n.t('Open settings file')}`,
      async run(now) {
        writeReminderSettings(reminderPlace(), now);
        await openFile();
        return undefined;
      },
    },
  ];
}

async function openFile(): Promise<void> {
  const file = settingsFile(reminderPlace().userFolder);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

async function showDeliveries(): Promise<undefined> {
  const { deliveries } = reminderOverview(reminderPlace());
  const rows = deliveries.map((one) => deliveryWords(one));
  await vscode.window.showQuickPick(rows, {
    title: l10n.t('Sent messages'),
    placeHolder: rows.length === 0 ? l10n.t('Nothing was sent yet.') : '',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return undefined;
}

// Asks when a person wants to be reminded. Each returns the changed settings; undefined if the person stops.

const hourMs = 3_600_000;

export async function askDoNotDisturb(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const tomorrow = new Date();
  tomorrow.setHours(32, 0, 0, 0);
  const inHours = (hours: number) => new Date(Date.now() + hours * hourMs);
  const picked = await vscode.window.showQuickPick(
    [
      { label: l10n.t('Off'), until: null },
      { label: l10n.t('For 30 minutes'), until: inHours(0.5) },
      { label: l10n.t('For 1 hour'), until: inHours(1) },
      { label: l10n.t('For 4 hours'), until: inHours(4) },
      { label: l10n.t('Until tomorrow, 8:00'), until: tomorrow },
    ],
    {
      title: l10n.t('Do not disturb'),
      placeHolder: l10n.t('No reminders and no notifications; the list still shows waiting items.'),
    },
  );
  if (!picked) return undefined;
  const { doNotDisturbUntil: _, ...rest } = settings;
  return picked.until === null ? rest : { ...rest, doNotDisturbUntil: picked.until.toISOString() };
}

export async function askQuietHours(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const { quietHours: now, ...rest } = settings;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Quiet hours'),
    prompt: l10n.t('From, to and time zone, for example 22:00-07:00 {0}. Leave it empty for none.', here),
    value: now ? `${now.from}-${now.to} ${now.timeZone}` : `22:00-07:00 ${here}`,
    validateInput: (text) =>
      text.trim() === '' || withHours(rest, text, now?.days)
        ? undefined
        : l10n.t('Write it like 22:00-07:00 Europe/Berlin.'),
  });
  if (typed === undefined) return undefined;
  return typed.trim() === '' ? rest : withHours(rest, typed, now?.days);
}

type Days = NonNullable<ReminderSettings['quietHours']>['days'];

/** Undefined if the text is malformed. */
function withHours(
  settings: Omit<ReminderSettings, 'quietHours'>,
  text: string,
  days: Days,
): ReminderSettings | undefined {
  const [, from, to, timeZone] = /^\s*(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)\s+(\S+)\s*$/.exec(text) ?? [];
  const quietHours = { from, to, timeZone, ...(days ? { days } : {}) };
  return reminderSettings.safeParse({ ...settings, quietHours }).data;
}

export async function askRules(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const rules = rulesOf(settings);
  const picked = await vscode.window.showQuickPick(
    urgencies.toReversed().map((urgency) => ({
      label: urgencyWord(urgency),
      description: ruleWords(rules[urgency]),
      urgency,
    })),
    { title: l10n.t('First and repeated reminders') },
  );
  if (!picked) return undefined;
  const { urgency } = picked;
  const now = rules[urgency];
  const typed = await vscode.window.showInputBox({
    title: urgencyWord(urgency),
    prompt: l10n.t(
      'Minutes until the first reminder, and then between reminders, for example 10, 30. 0 repeats none; leave it empty for no reminders.',
    ),
    value: now.first === null ? '' : `${String(now.first)}, ${String(now.every)}`,
    validateInput: (text) => (ruleIn(text) ? undefined : l10n.t('Write two numbers of minutes, such as 10, 30.')),
  });
  const rule = typed === undefined ? null : ruleIn(typed);
  return rule ? { ...settings, rules: { ...settings.rules, [urgency]: rule } } : undefined;
}

interface Rule {
  readonly first: number | null;
  readonly every: number;
}

/** Null if the text is malformed. */
function ruleIn(text: string): Rule | null {
  if (text.trim() === '') return { first: null, every: 0 };
  const [, first, every = '0'] = /^\s*(\d{1,4})\s*(?:,\s*(\d{1,4})\s*)?$/.exec(text) ?? [];
  return first === undefined ? null : { first: Number(first), every: Number(every) };
}

function ruleWords({ first, every }: Rule): string {
  if (first === null) return l10n.t('never');
  return every === 0 ? l10n.t('after {0} min', first) : l10n.t('after {0} min, then every {1} min', first, every);
}

// The words of reminders in lists.

type Delivery = ReminderOverview['deliveries'][number];

export function deliveryWords(delivery: Delivery): vscode.QuickPickItem & { readonly label: string } {
  const { id, channel, at, why, next, status } = delivery;
  const time = new Date(at).toLocaleString(vscode.env.language);
  const again = next === null ? null : l10n.t('next try {0}', new Date(next).toLocaleTimeString(vscode.env.language));
  return {
    label: `${id} → ${channel}: ${statusWord(status)}`,
    description: time,
    ...(why === null ? {} : { detail: [why, again].filter((part) => part !== null).join(', ') }),
  };
}

function statusWord(status: Delivery['status']): string {
  switch (status) {
    case 'delivered':
      return l10n.t('delivered');
    case 'retrying':
      return l10n.t('tried again later');
    case 'failed':
      return l10n.t('failed');
    case 'sending':
      return l10n.t('being sent');
    case 'unknown':
      return l10n.t('interrupted, not sent again');
  }
}

/** What holds reminders back. */
export function whenWords({ doNotDisturbUntil: until, quietHours }: ReminderSettings): {
  readonly silent: string;
  readonly quiet: string;
} {
  const isOn = until !== undefined && Date.parse(until) > Date.now();
  return {
    silent: isOn ? l10n.t('until {0}', new Date(until).toLocaleString(vscode.env.language)) : l10n.t('off'),
    quiet: quietHours ? `${quietHours.from}–${quietHours.to}, ${quietHours.timeZone}` : l10n.t('off'),
  };
}
