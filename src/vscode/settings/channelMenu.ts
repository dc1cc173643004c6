/** Adds, tests and removes the channels of reminders. The address of a webhook is typed once and never shown again. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readWebhooks, requireSafeAddress, writeWebhook } from '../../app/waiting/reminderFiles.ts';
import { reminderSettings, type ReminderSettings, type WebhookFormat } from '../../core/waiting/reminderSettings.ts';
import { failure, information } from '../kit/messages.ts';
import { reminderPlace } from './reminders.ts';

export async function addWebhook(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
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

export async function addCommand(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const name = await askName(settings, 'command');
  if (name === undefined) return undefined;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Add command'),
    prompt: l10n.t(
      'The program by its absolute path, and its arguments, as a JSON list. It gets HOLDPOINT_TEXT and HOLDPOINT_LINK in its environment.',
    ),
    value: '["/usr/local/bin/remind-me"]',
    ignoreFocusOut: true,
    validateInput: (text) =>
      withCommand(settings, name, text)
        ? undefined
        : l10n.t('Write a JSON list of strings, such as `["/usr/bin/say"]`.'),
  });
  const next = typed === undefined ? undefined : withCommand(settings, name, typed);
  if (next) await test(next, name);
  return next;
}

export async function channelMenu(settings: ReminderSettings, name: string): Promise<ReminderSettings | undefined> {
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

/** Undefined if the text is malformed. */
function withCommand(settings: ReminderSettings, name: string, text: string): ReminderSettings | undefined {
  try {
    const channel = { name, type: 'command', argv: JSON.parse(text) as unknown };
    return reminderSettings.safeParse({ ...settings, channels: [...settings.channels, channel] }).data;
  } catch {
    return undefined;
  }
}
