/**
 * The report of `holdpoint check` in Markdown, for a step summary or a pull request. Every text by agents, people and
 * git is a code span: nothing in it becomes a link, a mention, a reference, an image or HTML.
 */
import type { CheckItem, CheckReport } from '../../app/audit/checkReport.ts';
import { plural } from '../../core/kit/plural.ts';
import { firstLine } from '../../core/kit/text.ts';
import { oneLine, outcomeWords, shownAtMost, verdictWords, writesText } from './checkText.ts';

/** A comment on a pull request has at most 65,536 characters. */
const lengthAtMost = 60_000;

export function checkMarkdown(report: CheckReport): string {
  const { state, base, head, files, source, journal } = report;
  const read = source === 'store' ? `the journal at position ${String(journal?.position ?? 0)}` : 'attestations';
  const parts = [
    `### Holdpoint: ${verdictWords[state]}`,
    `Commit ${code(head)} against ${code(base)}: ${plural(files.length, 'changed file')}, checked with ${read}.`,
    ...section(
      'To resolve',
      report.problems.map(
        ({ code: why, id, files }) => `${problemName(why)}${id === null ? '' : ` ${code(id)}`}${listed(files)}`,
      ),
    ),
    ...section('Questions and RFCs', report.items.map(itemLine)),
    ...section(
      'Written before an answer',
      report.assumptions.map(
        ({ id, assumption, since, until, files }) =>
          `${code(id)} since ${code(since)}, ${until === null ? 'no answer yet' : `answered ${code(until)}`}: ${code(assumption ?? 'no assumption')}${listed(files)}`,
      ),
    ),
    ...section('Written while held', [
      writesText(report),
      ...report.writes.found.map(
        ({ id, file, commit, author, what, at }) =>
          `${code(file)}, held by ${code(id)}: ${what} ${code(at)} in ${code(commit.slice(0, 12))} by ${code(author)}`,
      ),
    ]),
    ...section('Notes', report.notes.map(code)),
  ];
  const kept: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + 2;
    if (length > lengthAtMost) return `${[...kept, 'The rest is too long to show here.'].join('\n\n')}\n`;
    kept.push(part);
  }
  return `${kept.join('\n\n')}\n`;
}

/** Our own words for each kind of problem; texts by others follow as code. */
function problemName(why: CheckReport['problems'][number]['code']): string {
  return why === 'unknown_state'
    ? 'The state is UNKNOWN.'
    : `${outcomeWords[why].charAt(0).toUpperCase()}${outcomeWords[why].slice(1)}:`;
}

function itemLine({ id, title, for: whom, outcome, replaced_by: by, decision, files, commits }: CheckItem): string {
  const parts = [
    `${code(id)}${title === null ? '' : ` ${code(firstLine(title, 200))}`}: **${outcomeWords[outcome]}**`,
    ...(whom === null ? [] : [`for ${code(whom)}`]),
    ...(by === null ? [] : [`${code(by)} was approved later`]),
    ...(decision === null
      ? []
      : [
          `${code(decision.action)} by ${code(decision.by)} at ${code(decision.at)}`,
          ...(decision.effect === null ? [] : [`effect ${code(decision.effect)}`]),
          ...(decision.revision === null ? [] : [`revision ${String(decision.revision)}`]),
          `signature valid, key ${code(decision.key.slice(0, 16))}`,
          ...(decision.said === null ? [] : [code(decision.said)]),
          ...[...decision.conditions, ...decision.constraints].map((term) => `term ${code(firstLine(term, 200))}`),
        ]),
    ...(commits.length === 0 ? [] : [`named by ${plural(commits.length, 'commit')}`]),
  ];
  return `${parts.join(', ')}${listed(files)}`;
}

function listed(files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length > 10 ? ` and ${String(files.length - 10)} more` : '';
  return `: ${files.slice(0, 10).map(code).join(', ')}${more}`;
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > shownAtMost ? [`- and ${String(lines.length - shownAtMost)} more`] : [];
  return [`#### ${title}`, [...lines.slice(0, shownAtMost).map((line) => `- ${line}`), ...more].join('\n')];
}

/** A code span, longer fenced than any run of backticks in it, on one line. CommonMark 0.31, section 6.1. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return /^`|`$/.test(line) ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
