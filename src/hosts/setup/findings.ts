/** What a check of set-up found, in words for the editor and the command line. */
import * as l10n from '@vscode/l10n';
import type { Finding, HostCheck } from './check.ts';
import { setupTitle } from './place.ts';

export function findingWords({ code, about }: Finding): string {
  switch (code) {
    case 'missing':
      return l10n.t('{0} has no hook. Set it up again.', about);
    case 'edited':
      return l10n.t('{0} changed since setup. Review, then repair.', about);
    case 'mcpMissing':
      return l10n.t('{0} has no MCP server entry, so the agent cannot ask. Set it up again.', about);
    case 'mcpEdited':
      return l10n.t('The MCP server “holdpoint” in {0} was not written by setup.', about);
    case 'unreadable':
    case 'launcher':
      return about;
    case 'otherProgram':
      return l10n.t('Hooks start {0}, which is not this editor’s program.', about);
    case 'dropped':
      return l10n.t('{0} has comments or trailing commas, so the agent ignores the whole file. Remove them.', about);
    case 'environment':
      return l10n.t('Other code can run before the hook: {0}. Remove these variables.', about);
    case 'disabled':
      return l10n.t('{0} turns hooks off.', about);
    case 'notDenied':
      return l10n.t('An edit to a held file was not denied ({0}).', about);
    case 'cannotTell':
      return l10n.t('An edit to a held file was denied, but not because of the hold ({0}).', about);
    case 'deniesReading':
      return l10n.t('Reading a held file was denied too ({0}). Only edits should be.', about);
    case 'notClosed':
      return l10n.t('Input that the hook cannot read was let through ({0}).', about);
    case 'notWatched':
      return l10n.t('The hook after a call did not report a changed held file ({0}).', about);
    case 'skippable':
      return l10n.t('Can be bypassed with {0}', about);
    case 'codexUntrusted':
      return l10n.t('Codex runs the hooks of {0} only after you trust that folder in Codex.', about);
    case 'copilotUntrusted':
      return l10n.t('Copilot CLI runs the hooks of {0} only after you trust that folder in Copilot CLI.', about);
    case 'geminiUntrusted':
      return l10n.t('Gemini CLI runs the hooks of {0} only after you trust that folder in Gemini CLI.', about);
    case 'notProven':
      return l10n.t('Not proven: {0} itself was never run with this hook.', about);
    case 'codexReview':
      return l10n.t('Codex runs a hook only after you review it in Codex (/hooks).');
    case 'hostDenied':
      return l10n.t('Started {0}: its edit was denied.', about);
    case 'hostGoesOn':
      return l10n.t('Started {0}: it does not run this hook. Check its settings.', about);
    case 'hostUnclear':
      return l10n.t('The agent was started, but made no edit ({0}).', about);
    case 'machineEdited':
    case 'machineLauncher':
      return l10n.t('The administrator’s {0} changed since setup. An administrator has to repair it.', about);
    case 'machineUnreadable':
      return about;
    case 'machineChangeable':
      return l10n.t('{0} should be the administrator’s alone, but others can change it.', about);
    case 'machineNotDenied':
      return l10n.t('The administrator’s hook did not deny an edit to a held file ({0}).', about);
    case 'machineNotWatched':
      return l10n.t('The administrator’s hook did not report a changed held file ({0}).', about);
    case 'denied':
      return l10n.t('Tested just now: an edit to a held file was denied.');
  }
}

export function checkWords({ host, verdict, by, findings }: HostCheck): string {
  const title = setupTitle(host);
  switch (verdict) {
    case 'off':
      return l10n.t('{0}: not set up', title);
    case 'enforced':
      return by === 'administrator'
        ? l10n.t('{0}: enforced, an administrator’s', title)
        : l10n.t('{0}: enforced', title);
    case 'advisory':
      return l10n.t('{0}: advisory', title);
    case 'broken': {
      const [first] = findings;
      return l10n.t('{0}: broken. {1}', title, first ? findingWords(first) : '');
    }
  }
}
