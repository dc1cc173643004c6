/** The text of a notification, for a lock screen: it names the workspace, and nothing that an agent wrote. */
import * as l10n from '@vscode/l10n';
import type { ReminderMessage } from '../../core/waiting/reminderFormats.ts';

export function pushText({ reminders, project }: Pick<ReminderMessage, 'reminders' | 'project'>): string {
  const [first, ...more] = reminders;
  if (more.length > 0) return l10n.t('{0} items are waiting in {1}', reminders.length, project);
  if (first?.kind === 'changed') return l10n.t('Held files were changed in {0}', project);
  if (first?.urgency === 'critical') return l10n.t('A critical question is waiting in {0}', project);
  switch (first?.id.split('-')[0]) {
    case 'Q':
      return l10n.t('A question is waiting in {0}', project);
    case 'RFC':
      return l10n.t('An RFC is waiting in {0}', project);
    case 'R':
      return l10n.t('A request is waiting in {0}', project);
    default:
      return l10n.t('An item is waiting in {0}', project);
  }
}
