/** Reports an import as text, before and after; for the terminal and the editor. */
import type { ImportedRow } from '../../core/records/import.ts';
import { plural, firstLine } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Imported } from './importing.ts';
import type { Plan } from './importPlan.ts';
import type { FoundKind, Remark } from './importReading.ts';

/** The number of rows by what they become. */
export function importCounts(rows: readonly ImportedRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const what = whatOf(row);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

const live = {
  work: 'work item',
  question: 'open question',
  again: 'open question that is here and holds more now',
  rfc: 'open RFC',
} as const;

function whatOf(row: ImportedRow): string {
  if (row.row === 'event') return row.closed === null ? 'active event' : 'closed event';
  return row.row === 'history' ? `${row.of} as history` : live[row.row];
}

export interface ImportData {
  readonly from: Plan['from'];
  readonly source: string;
  readonly format: string;
  readonly dry_run: boolean;
  readonly outcome: Imported['outcome'] | 'nothing_written';
  readonly found: Plan['found'];
  readonly comes_in: Readonly<Record<string, number>>;
  readonly already: number;
  readonly would_hold: Plan['wouldHold'];
  readonly changed: Plan['changed'];
  readonly left_out: Plan['leftOut'];
  readonly not_taken: Plan['notTaken'];
}

/** The report as data, for `--json`. */
export function importData(plan: Plan, done: Imported | null): ImportData {
  const { from, source, format, found, already, wouldHold, leftOut, changed, notTaken } = plan;
  return {
    from,
    source,
    format,
    dry_run: done === null,
    outcome: done?.outcome ?? 'nothing_written',
    found,
    comes_in: importCounts(plan.rows),
    already,
    would_hold: wouldHold,
    changed,
    left_out: leftOut,
    not_taken: notTaken,
  };
}

const foundWords: Readonly<Record<FoundKind, readonly [string, string?]>> = {
  blockers: ['blocker'],
  tasks: ['task'],
  files: ['file'],
  documents: ['document'],
  decisions: ['decision'],
  events: ['event'],
  work: ['work item'],
  questions: ['question'],
  rfcs: ['RFC'],
  requests: ['request'],
  responsibilities: ['responsibility', 'responsibilities'],
  history: ['row of history', 'rows of history'],
};

/** @param done null for a dry run */
export function importReport(plan: Plan, done: Imported | null): string {
  const counts = Object.entries(importCounts(plan.rows));
  const found = (Object.entries(plan.found) as [FoundKind, number][]).map(([what, count]) =>
    plural(count, ...foundWords[what]),
  );
  return [
    onOneLine(`${plan.source} (${plan.format})`),
    headline(plan, done),
    '',
    `Found: ${found.length === 0 ? 'nothing' : found.join(', ')}`,
    ...section(
      done === null ? 'Would be imported' : done.outcome === 'imported' ? 'Imported' : 'Would have been imported',
      counts.map(([what, count]) => `${String(count)} × ${what}`),
    ),
    ...(plan.already === 0 ? [] : [`Already here: ${String(plan.already)}`]),
    ...section(
      done?.outcome === 'imported' ? 'Holds from now on' : 'Would hold',
      plan.wouldHold.map(({ ref, title, work, holds, agent }) => {
        const what = [...work, ...holds];
        return `${ref} "${firstLine(title, 80)}": ${what.length === 0 ? `the session of ${agent}` : what.join(', ')}`;
      }),
    ),
    ...section('Imported with changes', plan.changed.map(line)),
    ...section('Not imported', plan.leftOut.map(line)),
    ...section('Not taken over', plan.notTaken),
    ...closing(plan),
  ].join('\n');
}

function headline(plan: Plan, done: Imported | null): string {
  if (done === null) return 'Dry run: nothing was written.';
  switch (done.outcome) {
    case 'imported':
      return `Imported: ${plural(done.rows, 'row')}.`;
    case 'cancelled':
      return 'Cancelled: nothing was imported.';
    case 'nothing_new':
      return plan.already > 0 ? 'Nothing new: everything is already here.' : 'Nothing in it can be imported.';
  }
}

function closing(plan: Plan): string[] {
  const history = plan.rows.some((row) => row.row === 'history');
  return history ? ['', 'History is read-only and unverified: it holds nothing, and its answers release nothing.'] : [];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((one) => `  ${onOneLine(one)}`)];
}

/** Ids and names come from the file: they must neither add lines to the report nor reorder it. */
function onOneLine(text: string): string {
  return visibleText(text.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' '));
}

function line({ ref, what }: Remark): string {
  return `${ref} ${what}`;
}
