/** What a check found, in words. */
import * as vscode from 'vscode';
import type { Finding, HostCheck } from '../../hosts/setup/check.ts';
import { setupTitle } from '../../hosts/setup/names.ts';

export function findingWords({ code, about }: Finding): string {
  switch (code) {
    case 'missing':
      return vscode.l10n.t('{0} lacks the hook. Set it up again.', about);
    case 'edited':
      return vscode.l10n.t('{0} is not as setup wrote it. Look what was changed, then set it up again.', about);
    case 'mcpMissing':
      return vscode.l10n.t('{0} lacks the MCP server: the agent cannot ask. Set it up again.', about);
    case 'mcpEdited':
      return vscode.l10n.t('{0} has another MCP server "holdpoint" than setup wrote.', about);
    case 'unreadable':
    case 'launcher':
      return about;
    case 'disabled':
      return vscode.l10n.t('{0} switches hooks off.', about);
    case 'notDenied':
      return vscode.l10n.t('An edit of a held file was not denied ({0}).', about);
    case 'cannotTell':
      return vscode.l10n.t('It denies, but not because of the hold ({0}).', about);
    case 'deniesReading':
      return vscode.l10n.t('Reading is denied too ({0}).', about);
    case 'notClosed':
      return vscode.l10n.t('Input that cannot be read is not denied ({0}).', about);
    case 'skippable':
      return vscode.l10n.t('Anybody can go around it with: {0}', about);
    case 'codexUntrusted':
      return vscode.l10n.t('Codex reads the hooks of {0} only after you have trusted that folder in Codex.', about);
    case 'copilotUntrusted':
      return vscode.l10n.t('Copilot CLI runs hooks of {0} only after you have trusted that folder in it.', about);
    case 'codexReview':
      return vscode.l10n.t('Codex runs a hook only after you have reviewed it there (/hooks).');
    case 'hostDenied':
      return vscode.l10n.t('It was started itself ({0}), and its edit was denied.', about);
    case 'hostGoesOn':
      return vscode.l10n.t('It was started itself ({0}) and does not run this hook: look into its settings.', about);
    case 'hostUnclear':
      return vscode.l10n.t('It was started itself, and did not get as far as an edit ({0}).', about);
    case 'denied':
      return vscode.l10n.t('An edit of a held file was denied just now.');
  }
}

export function checkWords({ host, verdict, findings }: HostCheck): string {
  const title = setupTitle(host);
  switch (verdict) {
    case 'off':
      return vscode.l10n.t('{0}: not set up', title);
    case 'enforced':
      return vscode.l10n.t('{0}: enforced', title);
    case 'advisory':
      return vscode.l10n.t('{0}: advisory', title);
    case 'broken': {
      const [first] = findings;
      return vscode.l10n.t('{0}: broken. {1}', title, first ? findingWords(first) : '');
    }
  }
}
