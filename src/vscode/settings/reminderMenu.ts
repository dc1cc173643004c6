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
import { acceptedSettings, acceptSettings, reminderPlace } from './reminders.ts';

/** Changes the settings as they are by now, unless `edit` is null, and the address of a webhook, which null removes. */
type Save = (
  edit: ((now: ReminderSettings) => ReminderSettings) | null,
  webhook?: readonly [name: string, address: string | null],
) => Promise<void>;

const settingsNow = () => readReminderSettings(reminderPlace()) ?? reminderSettings.parse({ v: 1 });

/** Only what is written here is accepted: while a dialog is open, another program can change the files. */
function saveIn(secrets: vscode.SecretStorage): Save {
  return async (edit, webhook) => {
    const accepted = await acceptedSettings(secrets);
    const place = reminderPlace();
    const before = settingsDigest(place);
    const next = edit?.(settingsNow());
    // First: where it fails, no channel without an address was added.
    if (webhook) writeWebhook(place, ...webhook);
    if (next) writeReminderSettings(place, next);
    if (accepted === undefined || accepted === before) await acceptSettings(secrets, settingsDigest(place));
  };
}

// Adds, tests and removes the channels of reminders. The address of a webhook is typed once and never shown again.

async function addWebhook(settings: ReminderSettings, save: Save): Promise<void> {
  const formats = [
    { label: 'Slack', format: 'slack' },
    { label: 'Microsoft Teams', format: 'teams' },
    { label: 'JSON', format: 'json' },
  ] as const satisfies readonly { readonly label: string; readonly format: WebhookFormat }[];
  const picked = await vscode.window.showQuickPick(formats, { title: l10n.t('Add webhook') });
  if (!picked) return;
  const name = await askName(settings, picked.format);
  if (name === undefined) return;
  const address = await askAddress();
  if (address === undefined) return;
  const { format } = picked;
  await save((now) => ({ ...now, channels: [...now.channels, { name, type: 'webhook', format }] }), [name, address]);
  await test(name);
}

async function channelMenu({ name, type }: ReminderOverview['channels'][number], save: Save): Promise<void> {
  const address = { label: `$(key) ${l10n.t('Change address…')}`, does: 'address' } as const;
  const picked = await vscode.window.showQuickPick(
    [
      { label: `$(beaker) ${l10n.t('Send a test')}`, does: 'test' } as const,
      ...(type === 'webhook' ? [address] : []),
      { label: `$(trash) ${l10n.t('Remove')}`, does: 'remove' } as const,
    ],
    { title: name },
  );
  switch (picked?.does) {
    case 'test':
      return test(name);
    case 'address': {
      const typed = await askAddress();
      return typed === undefined ? undefined : save(null, [name, typed]);
    }
    case 'remove':
      return save(
        (now) => ({ ...now, channels: now.channels.filter((one) => one.name !== name) }),
        type === 'webhook' ? [name, null] : undefined,
      );
    case undefined:
  }
}

async function test(name: string): Promise<void> {
  const { channelsOf } = await import('../../channels/reminding.ts');
  const channel = channelsOf(reminderPlace(), settingsNow(), readWebhooks(reminderPlace())).find(
    (one) => one.name === name,
  );
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
  readonly run?: (save: Save) => Promise<void>;
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
  const settings = settingsNow();
  const overview = reminderOverview(reminderPlace());
  const picked = await vscode.window.showQuickPick(choices(settings, overview), {
    title: l10n.t('Reminders'),
    placeHolder: placeholder(overview),
  });
  await picked?.run?.(saveIn(secrets));
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
    ...channels.map((channel): Choice => ({
      label: `$(${channel.complete ? 'broadcast' : 'warning'}) ${channel.name}`,
      description: channel.complete ? channel.type : l10n.t('{0}, no address', channel.type),
      run: (save) => channelMenu(channel, save),
    })),
    { label: `$(add) ${l10n.t('Add a webhook…')}`, run: (save) => addWebhook(settings, save) },
    heading(l10n.t('When')),
    {
      label: `$(bell-slash) ${l10n.t('Do not disturb…')}`,
      description: silentWords(settings),
      run: askDoNotDisturb,
    },
    {
      label: `$(go-to-file) ${l10n.t('Open settings file')}`,
      description: l10n.t('commands, quiet hours and times'),
      async run(save) {
        await save((now) => now);
        await openFile();
      },
    },
  ];
}

async function openFile(): Promise<void> {
  const file = settingsFile(reminderPlace().userFolder);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

const hourMs = 3_600_000;

async function askDoNotDisturb(save: Save): Promise<void> {
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
  if (!picked) return;
  await save(({ doNotDisturbUntil: _, ...rest }) =>
    picked.until === null ? rest : { ...rest, doNotDisturbUntil: picked.until.toISOString() },
  );
}

function silentWords({ doNotDisturbUntil: until }: ReminderSettings): string {
  const isOn = until !== undefined && Date.parse(until) > Date.now();
  return isOn ? l10n.t('until {0}', new Date(until).toLocaleString(vscode.env.language)) : l10n.t('off');
}
