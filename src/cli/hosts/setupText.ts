/** The output of `holdpoint setup` for people. */
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Finding, HostCheck, Uncovered } from '../../hosts/setup/check.ts';
import type { MachineFinding } from '../../hosts/setup/machineCheck.ts';
import { setupTitle } from '../../hosts/setup/place.ts';
import type { FileChange } from '../../hosts/setup/plan.ts';

/** A file and its changed lines with some context. */
export function changeText({ file, real, before, after }: FileChange): string {
  const what = before === null ? 'new' : after === null ? 'removed' : 'changed';
  const rows = difference(before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
  return [`\n${file}${real === file ? '' : ` -> ${real}`} (${what})`, ...rows.map(rowText)].join('\n');
}

function rowText(row: DifferenceRow): string {
  if (row.type === 'gap') return `  … ${plural(row.lines, 'line')}`;
  const text = row.type === 'same' ? row.text : row.pieces.map((piece) => piece.text).join('');
  return `${{ same: '  ', added: '+ ', removed: '- ' }[row.type]}${text}`;
}

export function checkText(checks: readonly HostCheck[], uncovered: readonly Uncovered[]): string {
  const said = checks
    .map(({ host, verdict, by, findings }) => {
      const level =
        verdict === 'off' ? 'not set up' : by === 'administrator' ? "enforced, an administrator's" : verdict;
      return [`${setupTitle(host)}: ${level}`, ...findings.map((finding) => `  ${findingText(finding)}`)].join('\n');
    })
    .join('\n');
  const others = uncovered.map(
    ({ folder, hosts }) =>
      `Not covered: ${folder}, for ${hosts.map(setupTitle).join(', ')}. Run there: holdpoint setup`,
  );
  return [said, ...others].join('\n');
}

function findingText({ code, about }: Finding): string {
  switch (code) {
    case 'missing':
      return `${about} lacks the hook. Set it up again.`;
    case 'edited':
      return `${about} has changed since setup. Review the changes, then set it up again.`;
    case 'mcpMissing':
      return `${about} lacks the MCP server: the agent cannot ask. Set it up again.`;
    case 'mcpEdited':
      return `${about} has an MCP server "holdpoint" that differs from what setup wrote.`;
    case 'unreadable':
    case 'launcher':
      return about;
    case 'otherProgram':
      return `The launcher runs on ${about}, not on the program that runs this check.`;
    case 'dropped':
      return `${about} has comments or trailing commas: the host ignores the whole file. Remove them.`;
    case 'environment':
      return `Programs can run in the hook's place because of ${about}. Remove these variables.`;
    case 'disabled':
      return `${about} turns off hooks.`;
    case 'notDenied':
      return `An edit to a held file was not blocked (${about}).`;
    case 'cannotTell':
      return `It blocks edits, but not because of the hold (${about}).`;
    case 'deniesReading':
      return `It also blocks reading (${about}).`;
    case 'notClosed':
      return `It does not block malformed input (${about}).`;
    case 'notWatched':
      return `The hook after a call did not report a changed held file (${about}).`;
    case 'skippable':
      return `Anybody can bypass it with: ${about}`;
    case 'codexUntrusted':
      return `Codex reads the hooks of ${about} only after you have trusted that folder in Codex.`;
    case 'copilotUntrusted':
      return `Copilot CLI runs hooks of ${about} only after you have trusted that folder there; "copilot -p" runs without them.`;
    case 'geminiUntrusted':
      return `Gemini CLI runs hooks of ${about} only after you have trusted that folder there; with --skip-trust it runs without them.`;
    case 'notProven':
      return `Not proven: ${about} itself was never run with this hook. The form is from its documentation.`;
    case 'codexReview':
      return 'Codex runs a hook only after you have reviewed it there (/hooks), and asks again when it changes.';
    case 'hostDenied':
      return `Tested with the host itself (${about}): its edit was blocked.`;
    case 'hostGoesOn':
      return `Tested with the host itself (${about}): it does not run this hook. Check its settings.`;
    case 'hostUnclear':
      return `Tested with the host itself: it did not get as far as an edit (${about}).`;
    case 'machineEdited':
    case 'machineUnreadable':
    case 'machineLauncher':
    case 'machineChangeable':
    case 'machineNotDenied':
    case 'machineNotWatched':
      return machineFindingText({ code, about });
    case 'denied':
      return 'Tested just now: an edit to a held file was blocked.';
  }
}

export function machineFindingText({ code, about }: MachineFinding): string {
  switch (code) {
    case 'machineEdited':
      return `${about} is not as setup writes it. An administrator sets it up again: holdpoint setup --machine`;
    case 'machineUnreadable':
      return about;
    case 'machineLauncher':
      return `${about} is missing, or not as setup writes it. An administrator sets it up again: holdpoint setup --machine`;
    case 'machineChangeable':
      return `Others than the administrator can change ${about}.`;
    case 'machineNotDenied':
      return `The hook did not stop an edit to a held file (${about}).`;
    case 'machineNotWatched':
      return `The hook after a call did not report a changed held file (${about}).`;
  }
}
