/** Why something with a team's server failed, and what follows after sharing, in words for people. */
import * as l10n from '@vscode/l10n';
import { serverFailure } from '../../app/team/servers.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';

export function teamErrorWords(error: unknown): string {
  const failure = serverFailure(error);
  if (failure)
    switch (failure.code) {
      case 'offline':
        return l10n.t('The server does not answer. Check the network, then try again. ({0})', failure.message);
      case 'unknown':
        return l10n.t('The connection broke. Try again: nothing is done twice. ({0})', failure.message);
      case 'busy':
        return l10n.t('The server is busy. Try again. ({0})', failure.message);
      case 'refused':
      case 'rejected':
        return l10n.t('The server refused this: {0}', failure.message);
      case 'wrong':
        return l10n.t('This address cannot be used: {0}', failure.message);
    }
  if (error instanceof AppError) return error.message;
  return storeFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}

export function sharedWords(name: string): string {
  return l10n.t('This workspace is shared as {0}. Invite others in a terminal: holdpoint team invite NAME', name);
}
