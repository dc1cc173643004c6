/** The machine's copy of a shared journal: the server's rows, written at their offsets into the journal's files. */
import type { State } from '../../core/state/state.ts';
import { type FileSystem, journalPath } from '../journal/files.ts';
import { replaceJournal } from '../journal/journalFile.ts';
import { type Ledger, openLedger } from '../journal/ledger.ts';
import { type Row, type Server, type Tail, importRows, type ImportRow } from './server.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trust } from '../../core/records/decision.ts';
import type { CountedLine } from '../../core/records/records.ts';
import { openJournal } from '../journal/openJournal.ts';
import { noAnchor } from '../journal/stateFile.ts';

/**
 * Brings the copy up to date.
 * @returns `forked`: the server's journal differs from the copy: it was rolled back, or the copy was changed
 * @throws ServerError, or Error when the disk refuses
 */
export async function pullRows(
  ledger: Ledger,
  server: Pick<Server, 'tail'>,
  workspace: string,
): Promise<'current' | 'forked'> {
  for (;;) {
    const { position } = ledger;
    const tail = await server.tail(workspace, position);
    copyRows(ledger, tail.rows);
    restoreLineFeed(ledger);
    if (isAt(ledger, tail)) return 'current';
    // Another program of this machine may have copied more in the meantime, so only a reply without progress is final.
    if (ledger.position === position && tail.rows.every(({ at }) => at < position)) return 'forked';
    if (ledger.problem) throw new Error(ledger.problem.what);
  }
}

export function isAt(
  ledger: Pick<Ledger, 'position' | 'state' | 'head'>,
  { size, head }: Pick<Tail, 'size' | 'head'>,
): boolean {
  return nextOffset(ledger) === size && ledger.head === head;
}

/**
 * Offset at which the server expects the next line: after a seal of a development version, the line feed that ends it is
 * the first byte of the next line. A longer file ends with a torn line, or with bytes that are not the server's.
 */
export function nextOffset({
  position,
  state,
}: Pick<Ledger, 'position'> & { readonly state: Pick<State, 'sealed'> }): number {
  return position === state.sealed ? position : position + 1;
}

const lineFeed = Buffer.from('\n');

/**
 * Writes rows and reads them. Rows that the ledger has read already are skipped.
 * @throws when the disk refuses
 */
export function copyRows(ledger: Ledger, rows: readonly Row[]): void {
  for (const row of rows.filter(({ at }) => at >= ledger.position)) placeRow(ledger, row);
  ledger.catchUp();
}

function placeRow(ledger: Ledger, { at, bytes }: Row): void {
  // A crash may have taken the line feed that ends the line before.
  if (at > ledger.position && at === nextOffset(ledger)) ledger.place(Buffer.concat([lineFeed, bytes]), at - 1);
  else ledger.place(bytes, at);
}

/** A crash may have taken the line feed that ends the last line; the line is valid without it. */
function restoreLineFeed(ledger: Ledger): void {
  const { position, size } = ledger;
  if (ledger.problem || size !== position || position === nextOffset(ledger)) return;
  ledger.place(lineFeed, position);
  ledger.catchUp();
}

/**
 * Fetches the whole journal again, for a copy that was damaged, cut short, replaced or removed. The files that were there
 * are renamed. Whether the server's journal is the one that this machine knew is checked when it is opened, by the anchor.
 * @throws ServerError, or Error when the disk refuses
 */
export async function rebuildCopy(
  place: { readonly root: string; readonly fs: FileSystem; readonly newId: () => string },
  server: Pick<Server, 'tail'>,
  workspace: string,
): Promise<void> {
  const rows: Row[] = [];
  for (;;) {
    const tail = await server.tail(workspace, (rows.at(-1)?.at ?? -1) + 1);
    if (tail.rows.length === 0) break;
    rows.push(...tail.rows);
  }
  const last = rows.at(-1);
  const bytes = Buffer.alloc(last ? last.at + last.bytes.length : 0);
  for (const { at, bytes: line } of rows) line.copy(bytes, at);
  replaceJournal(place.fs, place.root, bytes, place.newId);
}

// A local journal as rows for the server: every byte, each at its offset.

interface LocalJournal {
  /** Offset after all rows, and the hash of the last line. */
  readonly size: number;
  readonly head: string;
  /** Rows that begin at `from` or later, without a gap, in batches that fit into one call. */
  batches(from: number): Generator<readonly ImportRow[]>;
}

const batchBytes = 2 ** 20;
const batchRows = 500;
const stepBytes = 2 ** 16;
const longestFiller = 2 ** 20;

/**
 * Reads a journal up to its last valid line; what a crash left after it is not part of it. Other work continues
 * meanwhile: a long journal takes some seconds.
 * @param onStep called now and then; what it throws ends the reading
 * @throws Error when it cannot be read, or is damaged
 */
export async function readLocalJournal(
  { root, fs, trust }: { readonly root: string; readonly fs: FileSystem; readonly trust: Trust },
  onStep: () => void = () => undefined,
): Promise<LocalJournal> {
  const places: Place[] = [];
  const onLine = ({ at, end }: CountedLine, _: unknown, state: State) =>
    places.push({ at, end, next: nextOffset({ position: end, state }) });
  const ledger = openLedger({ root, fs, trust, stateFile: noAnchor, onLine, startsUnread: true });
  try {
    while (ledger.catchUp(stepBytes)) {
      onStep();
      await nextTurn();
    }
    const { head, problem } = ledger;
    if (problem) throw new Error(problem.what);
    const open = () => openJournal(fs, journalPath(root));
    return { size: nextOffset(ledger), head, batches: (from) => batchesOf(rowsOf(open(), places, from)) };
  } finally {
    ledger.close();
  }
}

interface Place {
  readonly at: number;
  readonly end: number;
  /** Where the server expects what follows. */
  readonly next: number;
}

function* rowsOf(
  journal: ReturnType<typeof openJournal>,
  places: readonly Place[],
  from: number,
): Generator<ImportRow> {
  if (!journal) return;
  try {
    let written = 0;
    for (const { at, end, next } of places) {
      for (; written < at; written = Math.min(at, written + longestFiller))
        if (written >= from)
          yield { kind: 'filler', bytes: journal.read(written, Math.min(at, written + longestFiller)) };
      if (at >= from) yield { kind: 'line', bytes: Buffer.concat([journal.read(at, end), lineFeed]) };
      written = next;
    }
  } finally {
    journal.close();
  }
}

function* batchesOf(rows: Iterable<ImportRow>): Generator<readonly ImportRow[]> {
  let batch: ImportRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (batch.length >= batchRows || bytes + row.bytes.length > batchBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += row.bytes.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Copies the lines that the server lacks, so it can be repeated after an interruption.
 * @param onProgress called with the offset that the server has reached
 * @throws ServerError
 */
export async function sendJournal(
  server: Server,
  workspace: string,
  journal: LocalJournal,
  onProgress: (size: number) => void = () => undefined,
): Promise<void> {
  let { size } = await server.tail(workspace, Number.MAX_SAFE_INTEGER);
  for (const rows of journal.batches(size)) {
    size = await importRows(server, workspace, size, rows);
    onProgress(size);
  }
}
