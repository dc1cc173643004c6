/** Why the reviewer's loop ended early, as text. */
import * as l10n from '@vscode/l10n';
import type { ReviewNote } from '../../core/records/rfc.ts';

export function noteWords(note: ReviewNote): string {
  switch (note) {
    case 'no_model':
      return l10n.t('No model available. Please answer the open questions.');
    case 'not_allowed':
      return l10n.t('The language model is not allowed here. Please answer the open questions.');
    case 'failed':
      return l10n.t('The language model could not answer. Please answer the open questions.');
    case 'timed_out':
      return l10n.t('The language model took too long. Please answer the open questions.');
    case 'malformed':
      return l10n.t('The language model gave an unreadable reply twice. Please answer the open questions.');
    case 'budget_spent':
      return l10n.t('The language model reached its call limit. Please answer the open questions.');
  }
}
