/** What goes wrong, in the language of the editor. The use cases say it in English: agents and logs read that. */
import * as vscode from 'vscode';
import type { AppError } from '../../app/workspace/errors.ts';
import type { Standing } from '../../app/workspace/workspace.ts';

type Problem = NonNullable<Standing['problem']>;

/** What is wrong with a store, in one sentence. */
export function problemWords({ code }: Problem): string {
  switch (code) {
    case 'missing':
      return vscode.l10n.t('The journal of this workspace is gone.');
    case 'shorter':
      return vscode.l10n.t('The journal ends before what this machine knows of it.');
    case 'forked':
      return vscode.l10n.t('The journal goes on differently from what this machine knows of it.');
    case 'damaged':
      return vscode.l10n.t('A line of the journal is damaged.');
    case 'replaced':
      return vscode.l10n.t('The journal was replaced while it was in use.');
    case 'unsafe':
      return vscode.l10n.t('There is a link where the store should be.');
    case 'newer':
      return vscode.l10n.t('A newer Holdpoint wrote this workspace: update this one, then reload this window.');
    case 'unreadable':
      return vscode.l10n.t('The journal cannot be read.');
    case 'git':
      return vscode.l10n.t('The repository of this worktree is missing, so its store cannot be found.');
  }
}

/** That, and what it means, for a line of its own. */
export function problemTitle({ code }: Problem): string {
  return code === 'newer'
    ? vscode.l10n.t('Update Holdpoint: nothing may go on')
    : vscode.l10n.t('The store is damaged: nothing may go on');
}

/** Why a decision was not taken. */
export function errorWords(error: AppError): string {
  switch (error.code) {
    case 'conflict':
      // With a cause it is about this machine, not about who was first.
      if (error.cause !== undefined) return vscode.l10n.t('It was not done: {0}', error.message);
      return vscode.l10n.t('Something has changed since this was shown. Look again.');
    case 'not_found':
      return vscode.l10n.t('It is not there any more.');
    case 'denied':
      return error.message;
    case 'bad_input':
      return vscode.l10n.t('This cannot be taken: {0}', error.message);
  }
}
