/** The report of `holdpoint check` for a terminal, and the words that all its forms share. */
import type { CheckDecision, CheckItem, CheckOutcome, CheckReport } from '../../app/audit/checkReport.ts';
import { firstLine, onOneLine } from '../../core/kit/text.ts';
import { plural } from '../../core/kit/plural.ts';
import { visibleText } from '../../core/kit/visible.ts';

export const outcomeWords: Readonly<Record<CheckOutcome, string>> = {
  allowed: 'allowed',
  undecided: 'undecided',
  refused: 'refused',
  not_approved: 'not approved',
  withdrawn: 'withdrawn by its agent',
  unverifiable: 'not verifiable',
  unknown: 'unknown',
};

export const verdictWords = { CLEAR: 'all clear', BLOCKED: 'not clear', UNKNOWN: 'UNKNOWN' } as const;

/** How many entries of a list are printed; `--json` has all. */
export const shownAtMost = 50;

/** Texts by others never begin a line: in the log of a workflow that could be a command. */
export function checkText(report: CheckReport): string {
  const { problems, items, assumptions, writes, notes } = report;
  return [
    headline(report),
    ...problems.map(({ text, files }) => oneLine(`Denied: ${text}${filesIn(files)}`)),
    ...section('Questions and RFCs', items.flatMap(itemLines)),
    ...section('Written before an answer', assumptions.map(assumptionLine)),
    ...section('Written while held', [writesText(report), ...writes.found.map(writeLine)]),
    ...notes.map((note) => oneLine(note)),
  ].join('\n');
}

function assumptionLine({ id, assumption, files, since, until }: CheckReport['assumptions'][number]): string {
  const answer = until === null ? 'no answer yet' : `answered ${until}`;
  return `${id} since ${since} (${answer}), assuming "${firstLine(assumption ?? 'nothing', 120)}"${filesIn(files)}`;
}

function writeLine({ id, file, commit, author, what, at }: CheckReport['writes']['found'][number]): string {
  return `held by ${id}: ${file}, ${what} at ${at} in ${commit.slice(0, 12)} by ${author}`;
}

/** Text by others on one line, without hidden characters or broken Unicode. */
export function oneLine(text: string): string {
  return visibleText(onOneLine(text.replace(/\p{Surrogate}/gu, '\uFFFD')));
}

function headline({ state, base, head, files, source, journal }: CheckReport): string {
  const read = source === 'store' ? `the journal at position ${String(journal?.position ?? 0)}` : 'attestations';
  return `Check of ${head} against ${base}: ${verdictWords[state]} (${plural(files.length, 'changed file')}, ${read}).`;
}

function decisionText({ action, by, at, key, revision, revision_hash: hash }: CheckDecision): string {
  const about =
    revision === null ? '' : `, revision ${String(revision)}${hash === null ? '' : ` (${hash.slice(0, 16)})`}`;
  return `${action} by ${by} at ${at}${about}, signature valid, key ${key.slice(0, 16)}`;
}

export function writesText({ writes: { verdict, why, unclear } }: CheckReport): string {
  if (verdict === 'found') return 'By the times that commits and records state:';
  if (verdict === 'none') return 'None, by the times that commits and records state.';
  const which =
    unclear.length === 0
      ? ''
      : ` (${unclear
          .slice(0, 5)
          .map((sha) => sha.slice(0, 12))
          .join(', ')})`;
  return `Cannot tell. ${why ?? ''}${which}`;
}

function itemLines({ id, title, outcome, replaced_by: by, decision, files, commits }: CheckItem): string[] {
  const name = title === null ? id : `${id} "${firstLine(title, 120)}"`;
  const effect = decision?.effect == null ? '' : `, effect ${decision.effect}`;
  const replaced = by === null ? '' : `; ${by} was approved later`;
  const named = commits.length === 0 ? '' : `; named by ${plural(commits.length, 'commit')}`;
  const terms = decision === null ? [] : [...decision.conditions, ...decision.constraints];
  const said = decision === null ? '' : `: ${decisionText(decision)}${effect}`;
  return [
    `${name}: ${outcomeWords[outcome]}${replaced}${said}${named}${filesIn(files)}`,
    ...terms.map((term) => `${id} asks: "${firstLine(term, 200)}"`),
  ];
}

function filesIn(files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length > 5 ? ` and ${String(files.length - 5)} more` : '';
  return ` [${files.slice(0, 5).join(', ')}${more}]`;
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > shownAtMost ? [`  and ${String(lines.length - shownAtMost)} more`] : [];
  return [`${title}:`, ...lines.slice(0, shownAtMost).map((line) => `  ${oneLine(line)}`), ...more];
}
