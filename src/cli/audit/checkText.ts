/**
 * The report of `holdpoint check` for people: in a terminal, or as Markdown for a step summary or a pull request. Texts by
 * agents, people and git never begin a line, which the log of a workflow could read as a command; in Markdown they are code
 * spans, so that nothing in them becomes a link, a mention, an image or HTML.
 */
import type { CheckDecision, CheckItem, CheckOutcome, CheckReport } from '../../app/audit/checkReport.ts';
import { firstLine, onOneLine, plural } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';

export interface Style {
  /** A text by others. */
  quote(text: string): string;
  title(text: string): string;
  heading(text: string): string;
  readonly bullet: string;
  readonly strong: string;
}

export const terminal: Style = {
  quote: oneLine,
  title: (text) => text,
  heading: (text) => `${text}:`,
  bullet: '  ',
  strong: '',
};

export const markdown: Style = {
  quote: code,
  title: (text) => `### ${text}\n`,
  heading: (text) => `#### ${text}\n`,
  bullet: '- ',
  strong: '**',
};

const outcomeWords: Readonly<Record<CheckOutcome, string>> = {
  allowed: 'allowed',
  undecided: 'undecided',
  refused: 'refused',
  not_approved: 'not approved',
  withdrawn: 'withdrawn by its agent',
  unverifiable: 'not verifiable',
  unknown: 'unknown',
};

const verdictWords = { CLEAR: 'all clear', BLOCKED: 'not clear', UNKNOWN: 'UNKNOWN' } as const;

/** How many entries of a list are printed; `--json` has all. */
export const shownAtMost = 50;

/** A comment on a pull request has at most 65,536 characters. */
const lengthAtMost = 60_000;

export function checkText(report: CheckReport, style: Style): string {
  const { state, base, head, files, source, journal, problems, items, notes } = report;
  const { quote } = style;
  const read = source === 'store' ? `the journal at position ${String(journal?.position ?? 0)}` : 'attestations';
  const lines = [
    style.title(
      `Check of ${quote(head)} against ${quote(base)}: ${verdictWords[state]} (${plural(files.length, 'changed file')}, ${read}).`,
    ),
    ...section(style, [
      'To resolve',
      problems.map(({ text, files: of }) => `Denied: ${quote(text)}${filesIn(of, style)}`),
    ]),
    ...section(style, ['Questions and RFCs', items.map((item) => itemLine(item, style))]),
    ...section(style, ['Notes', notes.map(quote)]),
  ];
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > lengthAtMost);
  return (end < 0 ? lines : [...lines.slice(0, end), '', 'The rest is too long to show here.']).join('\n');
}

function section(style: Style, [title, lines]: readonly [string, readonly string[]]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > shownAtMost ? [`and ${String(lines.length - shownAtMost)} more`] : [];
  return [style.heading(title), ...[...lines.slice(0, shownAtMost), ...more].map((line) => style.bullet + line)];
}

function itemLine(item: CheckItem, style: Style): string {
  const { id, title, for: whom, outcome, replaced_by: by, decision, files, commits } = item;
  const { quote, strong } = style;
  const parts = [
    `${quote(id)}${title === null ? '' : ` ${quote(`"${firstLine(title, 200)}"`)}`}: ${strong}${outcomeWords[outcome]}${strong}`,
    ...(whom === null ? [] : [`for ${quote(whom)}`]),
    ...(by === null ? [] : [`${quote(by)} was approved later`]),
    ...(decision === null ? [] : decisionParts(decision, style)),
    ...(commits.length === 0 ? [] : [`named by ${plural(commits.length, 'commit')}`]),
  ];
  return `${parts.join(', ')}${filesIn(files, style)}`;
}

function decisionParts(decision: CheckDecision, { quote }: Style): string[] {
  const { action, by, at, key, effect, said, revision, revision_hash: hash, conditions, constraints } = decision;
  return [
    `${quote(action)} by ${quote(by)} at ${quote(at)}`,
    ...(effect === null ? [] : [`effect ${quote(effect)}`]),
    ...(revision === null
      ? []
      : [`revision ${String(revision)}${hash === null ? '' : ` (${quote(hash.slice(0, 16))})`}`]),
    `signature valid, key ${quote(key.slice(0, 16))}`,
    ...(said === null ? [] : [quote(`"${said}"`)]),
    ...[...conditions, ...constraints].map((term) => `asks ${quote(`"${firstLine(term, 200)}"`)}`),
  ];
}

function filesIn(files: readonly string[], { quote }: Style): string {
  if (files.length === 0) return '';
  const more = files.length > 10 ? ` and ${String(files.length - 10)} more` : '';
  return ` (${files.slice(0, 10).map(quote).join(', ')}${more})`;
}

/** Text by others on one line, without hidden characters or broken Unicode. */
export function oneLine(text: string): string {
  return visibleText(onOneLine(text.replace(/\p{Surrogate}/gu, '\uFFFD')));
}

/** A code span, longer fenced than any run of backticks in it, on one line. CommonMark 0.31, section 6.1. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return /^`|`$/.test(line) ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
