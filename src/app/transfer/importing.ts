/**
 * Imports data of another program or workspace. An import is always an agent's act, even when a human starts it: it asks, holds and
 * posts, and decides nothing. All or nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nextEventId } from '../../core/memory/event.ts';
import type { ImportedRow, ImportSource } from '../../core/records/import.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import { ignoreErrors } from '../../store/journal/problem.ts';
import { loadSqlite } from '../../store/rows/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { readCodeframe } from './importCodeframe.ts';
import { readEngram } from './importEngram.ts';
import { readJson } from './importJson.ts';
import { readMarkdown } from './importMarkdown.ts';
import { knownRows, planImport, type Plan } from './importPlan.ts';
import {
  foundWords,
  type FoundKind,
  type Reader,
  type Reading,
  type ReadOptions,
  type Remark,
} from './importReading.ts';
import { plural, firstLine } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Workspace } from '../workspace/workspace.ts';

const readers: Readonly<Record<ImportSource, (reader: Reader, options: ReadOptions) => Reading>> = {
  codeframe: readCodeframe,
  engram: readEngram,
  markdown: readMarkdown,
  json: readJson,
};

/**
 * Reads a source and plans its import. Writes nothing.
 * @throws AppError `bad_input`, `conflict`
 */
export async function preparedImport(workspace: Workspace, from: ImportSource, options: ReadOptions): Promise<Plan> {
  const store = await workspace.store();
  const sqlite = await loadSqlite(workspace.options.wasm);
  try {
    return planImport(store.read(), readers[from]({ workspace, sqlite }, options));
  } catch (error) {
    // Values can nest more deeply than the stack.
    if (!(error instanceof RangeError)) throw error;
    const message = `${options.source} nests too deeply. Nothing was imported.`;
    throw new AppError('bad_input', message, { cause: error });
  }
}

export interface ImportRun {
  /** Called before each part, with the number of rows saved so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Aborts the import, leaving nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

export interface Imported {
  readonly outcome: 'imported' | 'nothing_new' | 'cancelled';
  readonly rows: number;
}

/** A part of this size takes some milliseconds to save. Characters. */
const partSize = 250_000;
const partRows = 200;

/**
 * Writes a plan. Others may write meanwhile; they see nothing of the import until it is complete.
 * @throws AppError `conflict` when another program imported the same meanwhile, `denied` when it would move a hold
 */
export async function runImport(
  workspace: Workspace,
  actor: Actor,
  plan: Plan,
  { onProgress, signal }: ImportRun = {},
): Promise<Imported> {
  const store = await workspace.store();
  if (plan.rows.length === 0) return { outcome: 'nothing_new', rows: 0 };
  if (signal?.aborted) return { outcome: 'cancelled', rows: 0 };
  const batch = workspace.options.newId();
  const abandoned = { kind: 'import.abandoned', v: 1, batch } as const;
  await begin(store, actor, batch, plan);
  try {
    let done = 0;
    let part = 0;
    /** Reports progress, then lets the caller cancel. */
    const goesOn = async () => {
      onProgress?.(done, plan.rows.length);
      await nextTurn();
      if (!signal?.aborted) return true;
      await write(store, actor, [abandoned]);
      return false;
    };
    for (const rows of partsOf(plan.rows)) {
      if (!(await goesOn())) return { outcome: 'cancelled', rows: 0 };
      await write(store, actor, [{ kind: 'import.rows', v: 1, batch, part: ++part, rows }]);
      done += rows.length;
    }
    if (!(await goesOn())) return { outcome: 'cancelled', rows: 0 };
    await end(store, actor, batch, plan);
  } catch (error) {
    // A batch that cannot be abandoned now stays invisible, and the next attempt abandons it.
    await write(store, actor, [abandoned]).catch(() => undefined);
    throw error;
  }
  workspace.changed();
  // Later programs need not replay the import.
  ignoreErrors(() => {
    if (store.hasGrown(1)) store.save();
  });
  return { outcome: 'imported', rows: plan.rows.length };
}

/** Abandons an unfinished batch of the same caller and source before starting. */
async function begin(store: Store, actor: Actor, batch: string, { from, source, digest }: Plan): Promise<void> {
  await asAgent(async () =>
    store.transact(actor, ({ state }) => {
      const former = [...state.imports].filter(([, one]) => one.by === actor.id && one.digest === digest);
      return {
        records: [
          ...former.map(([id]): RecordInput => ({ kind: 'import.abandoned', v: 1, batch: id })),
          { kind: 'import.begun', v: 1, batch, from, source, digest },
        ],
        result: null,
      };
    }),
  );
}

async function end(store: Store, actor: Actor, batch: string, plan: Plan): Promise<void> {
  await asAgent(async () =>
    store.transact(actor, ({ state, rows }) => {
      if (knownRows(rows, plan.fresh).size > 0)
        throw new AppError('conflict', 'another program has just imported the same: nothing was added, check again');
      const ended = {
        kind: 'import.ended',
        v: 1,
        batch,
        rows: plan.rows.length,
        firstEvent: nextEventId(state),
      } as const;
      return { records: [ended], result: null };
    }),
  );
}

async function write(store: Store, actor: Actor, records: readonly RecordInput[]): Promise<void> {
  await asAgent(async () => store.transact(actor, () => ({ records, result: null })));
}

function* partsOf(rows: readonly ImportedRow[]): Generator<ImportedRow[]> {
  let part: ImportedRow[] = [];
  let size = 0;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    if (part.length > 0 && (size + length > partSize || part.length >= partRows)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(row);
    size += length;
  }
  if (part.length > 0) yield part;
}

// The report, before and after, for the terminal and the editor.

/** How many rows become each kind of item. */
function importCounts(rows: readonly ImportedRow[]): Record<string, number> {
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

export interface ImportData extends ReturnType<typeof importData> {}

/** The report as data, for `--json`. */
export function importData(plan: Plan, done: Imported | null) {
  const { from, source, format, found, already, wouldHold, leftOut, changed, notTaken } = plan;
  return {
    from,
    source,
    format,
    dry_run: done === null,
    outcome: done?.outcome ?? ('nothing_written' as const),
    found,
    comes_in: importCounts(plan.rows),
    already,
    would_hold: wouldHold,
    changed,
    left_out: leftOut,
    not_taken: notTaken,
  };
}

/** @param done null for a dry run */
export function importReport(plan: Plan, done: Imported | null): string {
  const counts = Object.entries(importCounts(plan.rows));
  const found = (Object.entries(plan.found) as [FoundKind, number][]).map(([what, count]) => {
    const [one, many]: readonly [string, string?] = foundWords[what];
    return plural(count, one, many);
  });
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
