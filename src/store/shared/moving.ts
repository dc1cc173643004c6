/** A local journal as rows for the server: every byte, each at its offset. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trust } from '../../core/records/decision.ts';
import type { CountedLine } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import type { FileSystem } from '../journal/files.ts';
import { openLedger } from '../journal/ledger.ts';
import { openJournal } from '../journal/openJournal.ts';
import { journalPath } from '../journal/places.ts';
import { noAnchor } from '../journal/stateFile.ts';
import { importRows, type ImportRow } from './administration.ts';
import { nextOffset } from './replica.ts';
import type { Server } from './server.ts';

export interface LocalJournal {
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

/** Reads only rows that begin at `from` or later. */
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

const lineFeed = Buffer.from('\n');

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
