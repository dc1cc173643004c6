/**
 * Taking in what another program or another workspace knows. An import is an act of an agent, whoever starts it: it asks,
 * holds and tells, and nothing it brings is a decision. All of it comes in, or nothing.
 */
import { nextEventId } from '../../core/memory/event.ts';
import { askForFormat } from '../../core/state/askForFormat.ts';
import { importFormat } from '../../core/records/import.ts';
import type { ImportedRow, ImportSource } from '../../core/records/import.ts';
import { effectFormat } from '../../core/records/records.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import { loadSqlite } from '../../store/rows/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { readCodeframe } from './importCodeframe.ts';
import { readEngram } from './importEngram.ts';
import { readJson } from './importJson.ts';
import { readMarkdown } from './importMarkdown.ts';
import { knownRows, planImport } from './importPlan.ts';
import type { Plan } from './importPlan.ts';
import type { Reader, Reading, ReadOptions } from './importReading.ts';
import type { Workspace } from '../workspace/workspace.ts';

const readers: Readonly<Record<ImportSource, (reader: Reader, options: ReadOptions) => Reading>> = {
  codeframe: readCodeframe,
  engram: readEngram,
  markdown: readMarkdown,
  json: readJson,
};

/** Reads a source and says what would become of it. Writes nothing. @throws AppError `bad_input`, `conflict` */
export async function preparedImport(workspace: Workspace, from: ImportSource, options: ReadOptions): Promise<Plan> {
  const store = await workspace.store();
  const sqlite = await loadSqlite(workspace.options.wasm);
  return planImport(store.read(), readers[from]({ workspace, sqlite }, options));
}

export interface ImportRun {
  /** Told before each part: rows that are safe so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Ends it: nothing of it is there then. */
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
 * Writes what was planned. Others may write meanwhile; what they see of it is nothing until all is there.
 * @throws AppError `conflict` when another program took in the same meanwhile, `denied` when it would move what is held
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
  begin(store, actor, batch, plan);
  try {
    let done = 0;
    let part = 0;
    for (const rows of partsOf(plan.rows)) {
      onProgress?.(done, plan.rows.length);
      await othersTurn();
      if (signal?.aborted) {
        abandon(store, actor, batch);
        return { outcome: 'cancelled', rows: 0 };
      }
      write(store, actor, [{ kind: 'import.rows', v: 1, batch, part: ++part, rows }]);
      done += rows.length;
    }
    onProgress?.(done, plan.rows.length);
    await othersTurn();
    end(store, actor, batch, plan);
  } catch (error) {
    tryAbandon(store, actor, batch);
    throw error;
  }
  workspace.changed();
  await save(store);
  return { outcome: 'imported', rows: plan.rows.length };
}

/** What came in is in a snapshot, so that no later program has to replay it. */
async function save(store: Store): Promise<void> {
  try {
    const steps = store.saving(1);
    while (steps && !steps.next().done) await othersTurn();
  } catch {
    return; // a cache: whoever opens this next writes it
  }
}

/** What the same caller left unfinished of the same source is given up: this is the new try. */
function begin(store: Store, actor: Actor, batch: string, { from, source, digest, rows }: Plan): void {
  asAgent(() =>
    store.transact(actor, ({ state }) => {
      const former = [...state.imports].filter(([, one]) => one.by === actor.id && one.digest === digest);
      return {
        records: [
          ...askForFormat(state, formatFor(rows)),
          ...former.map(([id]): RecordInput => ({ kind: 'import.abandoned', v: 1, batch: id })),
          { kind: 'import.begun', v: 1, batch, from, source, digest },
        ],
        result: null,
      };
    }),
  );
}

/** What the batch takes: its questions may say more than earlier programs would heed. */
function formatFor(rows: readonly ImportedRow[]): number {
  return rows.some((row) => row.row === 'question' && saysMore(row.raised)) ? effectFormat : importFormat;
}

/** The same as `needsEffects`, of what is not checked before it is written. */
function saysMore({ choices, alsoWork }: Readonly<Record<string, unknown>>): boolean {
  const hasEffect = (one: unknown) => typeof one === 'object' && one !== null && 'effect' in one;
  return alsoWork !== undefined || (Array.isArray(choices) && choices.some(hasEffect));
}

function end(store: Store, actor: Actor, batch: string, plan: Plan): void {
  const keys = plan.rows.map(({ key }) => key);
  asAgent(() =>
    store.transact(actor, ({ state, rows }) => {
      if (knownRows(rows, keys).size > 0)
        throw new AppError(
          'conflict',
          'another program has imported the same meanwhile: nothing was added, look again',
        );
      const ended = { kind: 'import.ended', v: 1, batch, rows: keys.length, firstEvent: nextEventId(state) } as const;
      return { records: [ended], result: null };
    }),
  );
}

function abandon(store: Store, actor: Actor, batch: string): void {
  write(store, actor, [{ kind: 'import.abandoned', v: 1, batch }]);
}

/** What cannot be given up now is invisible all the same, and is given up with the next try. */
function tryAbandon(store: Store, actor: Actor, batch: string): void {
  try {
    abandon(store, actor, batch);
  } catch {
    return;
  }
}

function write(store: Store, actor: Actor, records: readonly RecordInput[]): void {
  asAgent(() => store.transact(actor, () => ({ records, result: null })));
}

/** Whatever else the program does gets its turn between two parts. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
