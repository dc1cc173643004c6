/** Why the reviewer's loop ended where it did, in words. */
import * as vscode from 'vscode';
import type { ReviewNote } from '../../core/records/rfcWords.ts';

export function noteWords(note: ReviewNote): string {
  switch (note) {
    case 'no_model':
      return vscode.l10n.t('There was no language model to ask: what is open is for you.');
    case 'not_allowed':
      return vscode.l10n.t('The language model may not be used here: what is open is for you.');
    case 'failed':
      return vscode.l10n.t('The language model could not answer: what is open is for you.');
    case 'timed_out':
      return vscode.l10n.t('The language model took too long: what is open is for you.');
    case 'malformed':
      return vscode.l10n.t('The language model gave nothing that could be read, twice: what is open is for you.');
    case 'budget_spent':
      return vscode.l10n.t('The language model was asked as often as it may be: what is open is for you.');
  }
}
