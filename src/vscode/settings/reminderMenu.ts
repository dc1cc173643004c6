/**
 * "Holdpoint: Reminders…": what a person cannot write into their settings file, because it is secret, or changes every
 * day. Decides nothing.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../store/journal/problem.ts';
import {
  readReminderSettings,
  settingsDigest,
  settingsFile,
  writeReminderSettings,
  readWebhooks,
  requireSafeAddress,
  writeWebhook,
} from '../../app/waiting/reminderFiles.ts';
import { reminderOverview, type ReminderOverview } from '../../app/waiting/reminderSender.ts';
import { reminderSettings, type ReminderSettings, type WebhookFormat } from '../../core/waiting/reminderSettings.ts';
import { failure, information } from '../kit/messages.ts';
import { acceptSettings, reminderPlace } from './reminders.ts';

// Adds, tests and removes the channels of reminders. The address of a webhook is typed once and never shown again.

async function addWebhook(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const formats = [
    { label: 'Slack', format: 'slack' },
    { label: 'Microsoft Teams', format: 'teams' },
    { label: 'JSON', format: 'json' },
  ] as const satisfies readonly { readonly label: string; readonly format: WebhookFormat }[];
  const picked = await vscode.window.showQuickPick(formats, { title: l10n.t('Add webhook') });
  if (!picked) return undefined;
  const name = await askName(settings, picked.format);
  if (name === undefined) return undefined;
  const address = await askAddress();
  if (address === undefined) return undefined;
  writeWebhook(reminderPlace(), name, address);
  const next: ReminderSettings = {
    ...settings,
    channels: [...settings.channels, { name, type: 'webhook', format: picked.format }],
  };
  await test(next, name);
  return next;
}

async function channelMenu(settings: ReminderSettings, name: string): Promise<ReminderSettings | undefined> {
  const channel = settings.channels.find((one) => one.name === name);
  const address = { label: `$(key) ${l10n.t('Change address…')}`, does: 'address' } as const;
  const picked = await vscode.window.showQuickPick(
    [
      { label: `$(beaker) ${l10n.t('Send a test')}`, does: 'test' } as const,
      ...(channel?.type === 'webhook' ? [address] : []),
      { label: `$(trash) ${l10n.t('Remove')}`, does: 'remove' } as const,
    ],
    { title: name },
  );
  switch (picked?.does) {
    case 'test':
      await test(settings, name);
      return undefined;
    case 'address': {
      const typed = await askAddress();
      if (typed !== undefined) writeWebhook(reminderPlace(), name, typed);
      return undefined;
    }
    case 'remove':
      if (channel?.type === 'webhook') writeWebhook(reminderPlace(), name, null);
      return { ...settings, channels: settings.channels.filter((one) => one.name !== name) };
    case undefined:
      return undefined;
  }
}

async function test(settings: ReminderSettings, name: string): Promise<void> {
  const { channelsOf } = await import('../../channels/reminding.ts');
  const channel = channelsOf(reminderPlace(), settings, readWebhooks(reminderPlace())).find((one) => one.name === name);
  const link = `${vscode.env.uriScheme}://holdpoint.holdpoint/`;
  const ended = await channel?.send({ reminders: [], project: 'Holdpoint', workspace: '', link, isTest: true });
  if (ended?.outcome === 'delivered') void information(l10n.t('{0}: the test was delivered.', name));
  else void failure(l10n.t('{0}: the test was not delivered ({1}).', name, ended?.why ?? ''));
}

function askName({ channels }: ReminderSettings, suggested: string): Thenable<string | undefined> {
  const isFree = (name: string) => channels.every((one) => one.name !== name);
  return vscode.window.showInputBox({
    title: l10n.t('Name of the channel'),
    value: isFree(suggested) ? suggested : `${suggested}-${String(channels.length + 1)}`,
    validateInput: (text) =>
      isFree(text) && /^[a-z0-9][a-z0-9-]{0,39}$/.test(text)
        ? undefined
        : l10n.t('Use a new name of a-z, 0-9 and hyphens.'),
  });
}

async function askAddress(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Address of the webhook'),
    prompt: l10n.t('It is kept in a file that only you can read, and is not shown again.'),
    placeHolder: 'https://…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => problemOf(text.trim()),
  });
  return typed?.trim();
}

function problemOf(address: string): string | undefined {
  try {
    requireSafeAddress(address);
    return undefined;
  } catch {
    return l10n.t('Use https:// (http:// only on this machine), without a user name.');
  }
}

interface Choice extends vscode.QuickPickItem {
  /** Returns the settings to save; undefined for none. */
  readonly run?: (settings: ReminderSettings) => Promise<ReminderSettings | undefined>;
}

export async function showReminders({ secrets }: vscode.ExtensionContext): Promise<void> {
  try {
    await showMenu(secrets);
  } catch (error) {
    const open = l10n.t('Open settings file');
    if ((await failure(messageOf(error), open)) === open) await openFile();
  }
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
  if (channels.length === 0) return l10n.t('Add a webhook to be reminded outside of the editor.');
  if (quiet !== null) return l10n.t('Nothing is sent now.');
  return sender === 'editor'
    ? l10n.t('An editor sends reminders.')
    : l10n.t('Reminders are sent while an editor or “holdpoint remind” runs.');
}

function choices(settings: ReminderSettings, { channels }: ReminderOverview): Choice[] {
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    heading(l10n.t('Channels')),
    ...channels.map(({ name, type, complete }): Choice => ({
      label: `$(${complete ? 'broadcast' : 'warning'}) ${name}`,
      description: complete ? type : l10n.t('{0}, no address', type),
      run: (now) => channelMenu(now, name),
    })),
    { label: `$(add) ${l10n.t('Add a webhook…')}`, run: addWebhook },
    heading(l10n.t('When')),
    {
      label: `$(bell-slash) ${l10n.t('Do not disturb…')}`,
      description: silentWords(settings),
      run: askDoNotDisturb,
    },
    {
      label: `$(go-to-file) ${l10n.t('Open settings file')}`,
      description: l10n.t('commands, quiet hours and times'),
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

const hourMs = 3_600_000;

/** The changed settings; undefined if the person stops. */
async function askDoNotDisturb(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
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

function silentWords({ doNotDisturbUntil: until }: ReminderSettings): string {
  const isOn = until !== undefined && Date.parse(until) > Date.now();
  return isOn ? l10n.t('until {0}', new Date(until).toLocaleString(vscode.env.language)) : l10n.t('off');
}
