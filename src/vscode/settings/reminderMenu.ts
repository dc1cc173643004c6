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
import { reminderOverview } from '../../app/waiting/reminderOverview.ts';
import type { ReminderOverview } from '../../app/waiting/reminderOverview.ts';
import { reminderSettings } from '../../core/waiting/reminderSettings.ts';
import type { ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, withoutIcons } from '../kit/messages.ts';
import { addCommand, addWebhook, channelMenu } from './channelMenu.ts';
import { acceptSettings, reminderPlace } from './reminders.ts';
import { deliveryWords, whenWords } from './reminderWords.ts';
import { askDoNotDisturb, askQuietHours, askRules } from './reminderTimes.ts';

interface Choice extends vscode.QuickPickItem {
  /** Returns the settings to save; undefined for none. */
  readonly run?: (settings: ReminderSettings) => Promise<ReminderSettings | undefined>;
}

export function registerReminderMenu({ secrets }: vscode.ExtensionContext): Closable {
  return vscode.commands.registerCommand(ids.commands.reminders, async () => {
    try {
      await showMenu(secrets);
    } catch (error) {
      const open = l10n.t('Open Settings File');
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
    : l10n.t('Reminders are sent while an editor or "holdpoint remind" runs.');
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
    { label: `$(add) ${l10n.t('Add Webhook…')}`, run: addWebhook },
    { label: `$(add) ${l10n.t('Add Command…')}`, run: addCommand },
    heading(l10n.t('When')),
    {
      label: `$(bell-slash) ${l10n.t('Do Not Disturb…')}`,
      description: whenWords(settings).silent,
      run: askDoNotDisturb,
    },
    {
      label: `$(clock) ${l10n.t('Quiet Hours…')}`,
      description: whenWords(settings).quiet,
      run: askQuietHours,
    },
    { label: `$(watch) ${l10n.t('First and Repeated Reminders…')}`, run: askRules },
    heading(l10n.t('Sent')),
    {
      label: `$(history) ${l10n.t('What Was Sent…')}`,
      description: last ? withoutIcons(deliveryWords(last).label) : l10n.t('nothing yet'),
      run: showDeliveries,
    },
    {
      label: `$(go-to-file) ${l10n.t('Open Settings File')}`,
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
    title: l10n.t('What Was Sent'),
    placeHolder: rows.length === 0 ? l10n.t('Nothing was sent yet.') : '',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return undefined;
}
