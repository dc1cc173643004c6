/** The words of reminders in lists. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReminderOverview } from '../../app/waiting/reminderOverview.ts';
import type { ReminderSettings } from '../../core/waiting/reminderSettings.ts';

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
