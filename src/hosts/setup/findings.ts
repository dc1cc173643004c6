/** What a check of set-up found, in words for the editor and the command line. */
import * as l10n from '@vscode/l10n';
import { setupTitle, type SetupName } from './place.ts';

/** What a canary showed. These are about the output of the hook, which the sentence leaves out. */
const trials = {
  notDenied: () => l10n.t('An edit to a held file was not denied.'),
  cannotTell: () => l10n.t('An edit to a held file was denied, but not because of the hold.'),
  deniesReading: () => l10n.t('Reading a held file was denied too. Only edits should be.'),
  notClosed: () => l10n.t('Input that the hook cannot read was let through.'),
  notWatched: () => l10n.t('The hook after a call did not report a changed held file.'),
  machineNotDenied: () => l10n.t('The administrator’s hook did not deny an edit to a held file.'),
  machineNotWatched: () => l10n.t('The administrator’s hook did not report a changed held file.'),
  denied: () => l10n.t('Tested just now: an edit to a held file was denied.'),
};

/** The words of each reason; `about` is its subject. */
const words = {
  ...trials,
  missing: (about) => l10n.t('{0} has no hook. Set it up again.', about),
  edited: (about) => l10n.t('{0} changed since setup. Review, then repair.', about),
  mcpMissing: (about) => l10n.t('{0} has no MCP server entry, so the agent cannot ask. Set it up again.', about),
  mcpEdited: (about) => l10n.t('The MCP server “holdpoint” in {0} was not written by setup.', about),
  unreadable: (about) => about,
  launcher: (about) => about,
  /** The launcher runs on another program than this one does. */
  otherProgram: (about) => l10n.t('Hooks start {0}, which is not this editor’s program.', about),
  /** A file with comments or trailing commas, of a host that then ignores all of it. */
  dropped: (about) =>
    l10n.t('{0} has comments or trailing commas, so the agent ignores the whole file. Remove them.', about),
  environment: (about) => l10n.t('Other code can run before the hook: {0}. Remove these variables.', about),
  disabled: (about) => l10n.t('{0} turns hooks off.', about),
  skippable: (about) => l10n.t('Can be bypassed with {0}', about),
  codexUntrusted: (about) => l10n.t('Codex runs the hooks of {0} only after you trust that folder in Codex.', about),
  copilotUntrusted: (about) =>
    l10n.t('Copilot CLI runs the hooks of {0} only after you trust that folder in Copilot CLI.', about),
  geminiUntrusted: (about) =>
    l10n.t('Gemini CLI runs the hooks of {0} only after you trust that folder in Gemini CLI.', about),
  notProven: (about) => l10n.t('Not proven: {0} itself was never run with this hook.', about),
  codexReview: () => l10n.t('Codex runs a hook only after you review it in Codex (/hooks).'),
  machineEdited: (about) =>
    l10n.t('The administrator’s {0} changed since setup. An administrator has to repair it.', about),
  machineLauncher: (about) =>
    l10n.t('The administrator’s {0} changed since setup. An administrator has to repair it.', about),
  machineUnreadable: (about) => about,
  machineChangeable: (about) => l10n.t('{0} should be the administrator’s alone, but others can change it.', about),
} satisfies Record<string, (about: string) => string>;

export interface Finding {
  readonly code: keyof typeof words;
  readonly about: string;
}

/**
 * `off`: not set up. `enforced`: a held call was denied just now. `advisory`: works, but can be bypassed. `broken`:
 * partly set up, and does not stop what it should.
 */
type Verdict = 'off' | 'enforced' | 'advisory' | 'broken';

export interface HostCheck {
  readonly host: SetupName;
  readonly verdict: Verdict;
  /** Set when an administrator's rules stop the host: agents cannot edit them. */
  readonly by?: 'administrator';
  readonly findings: readonly Finding[];
}

/** Several parts of a file may have the same. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.code} ${finding.about}`, finding])).values()];
}

/** A finding as a sentence, and the output of the hook that shows it. */
export function findingParts({ code, about }: Finding): { readonly text: string; readonly output: string | null } {
  return { text: words[code](about), output: Object.hasOwn(trials, code) && about !== '' ? about : null };
}

/** For the command line: of a failed trial, with the end of the output. */
export function findingWords(finding: Finding): string {
  const { text, output } = findingParts(finding);
  if (output === null || finding.code === 'denied') return text;
  return `${text} (${output.replaceAll(/\s+/g, ' ').slice(-300)})`;
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
      return l10n.t('{0}: broken. {1}', title, first ? findingParts(first).text : '');
    }
  }
}
