/** Translations of problems. Use cases report them in English, for agents and logs. */
import * as l10n from '@vscode/l10n';
import { NoCopyError, type AppError } from '../../app/workspace/errors.ts';
import type { Standing } from '../../app/workspace/workspace.ts';

type Problem = NonNullable<Standing['problem']>;

/** What is wrong with a store, in one sentence. */
export function problemWords({ code }: Problem): string {
  switch (code) {
    case 'missing':
      return l10n.t('The journal of this workspace is missing.');
    case 'recreated':
      return l10n.t(
        'This folder was made again after its journal was last used, and the new one has no journal. If it is a fresh clone, start over; otherwise put the old folder back.',
      );
    case 'shorter':
      return l10n.t('The journal is shorter than this machine remembers.');
    case 'forked':
      return l10n.t('The journal differs from what this machine remembers.');
    case 'damaged':
      return l10n.t('A line of the journal is damaged.');
    case 'replaced':
      return l10n.t('The journal was replaced while it was in use.');
    case 'unsafe':
      return l10n.t('The folder .holdpoint is a link, which is not allowed.');
    case 'newer':
      return l10n.t('A newer version of Holdpoint wrote this workspace. Update, then reload this window.');
    case 'unreadable':
      return l10n.t('The journal cannot be read.');
    case 'ring':
      return l10n.t('The team’s list of keys cannot be used, so no decision can be checked.');
    case 'disconnected':
      return l10n.t('The journal of this workspace is shared, and this machine has no copy of it.');
    case 'moved':
      return l10n.t(
        'This folder was moved or replaced, and its journal is not the one that this machine knows. Put the folder back, or start over.',
      );
    case 'git':
      return l10n.t('The repository of this worktree is missing, so its journal cannot be found.');
  }
}

/** A short title with the consequence. */
export function problemTitle({ code }: Problem): string {
  if (code === 'newer') return l10n.t('Update Holdpoint: all agents paused');
  if (code === 'ring') return l10n.t('The team’s list of keys cannot be used: all agents paused');
  if (code === 'disconnected') return l10n.t('Not connected to the team: all agents paused');
  return l10n.t('Can’t verify the journal: all agents paused');
}

/** Why a decision was not accepted. */
export function errorWords(error: AppError): string {
  switch (error.code) {
    case 'conflict':
      // An error with a cause is about this machine, not about a conflict.
      if (error.cause !== undefined) return l10n.t('This failed: {0}', error.message);
      return l10n.t('Something has changed since this was shown. Check it again.');
    case 'not_found':
      if (error instanceof NoCopyError)
        return l10n.t('Holdpoint has no copy of it from when the hold began. Use git or a backup.');
      return l10n.t('It no longer exists.');
    case 'denied':
      return error.message;
    case 'bad_input':
      return l10n.t('This cannot be accepted: {0}', error.message);
  }
}
