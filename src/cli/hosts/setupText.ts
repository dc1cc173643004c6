/** The output of `holdpoint setup` for people. */
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Uncovered } from '../../hosts/setup/check.ts';
import { setupTitle } from '../../hosts/setup/place.ts';
import type { FileChange } from '../../hosts/setup/plan.ts';
import { findingWords, type HostCheck } from '../../hosts/setup/findings.ts';

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
      return [`${setupTitle(host)}: ${level}`, ...findings.map((finding) => `  ${findingWords(finding)}`)].join('\n');
    })
    .join('\n');
  const others = uncovered.map(
    ({ folder, hosts }) =>
      `Not covered: ${folder}, for ${hosts.map(setupTitle).join(', ')}. Run there: holdpoint setup`,
  );
  return [said, ...others].join('\n');
}
