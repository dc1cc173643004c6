/** A local journal as rows for the server: every byte, each at its offset. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trust } from '../../core/records/decision.ts';
import type { FileSystem } from '../journal/files.ts';
import { openLedger } from '../journal/ledger.ts';
import { openJournal } from '../journal/openJournal.ts';
import { journalPath } from '../journal/segments.ts';
import { noAnchor } from '../journal/stateFile.ts';
import { importRows } from './administration.ts';
import type { ImportRow } from './administration.ts';
import { nextOffset } from './replica.ts';
import type { Server } from './server.ts';
import { ServerError } from './serverError.ts';
import type { ServerErrorCode } from './serverError.ts';

export interface LocalJournal {
  /** Offset after all rows, and the hash of the last line. */
  readonly size: number;
  readonly head: string;
  readonly lines: number;
  /** Rows that begin at `from` or later, in batches that fit into one call. */
  batches(from: number): Generator<readonly ImportRow[]>;
}

const batchBytes = 2 ** 20;
const batchRows = 500;
const longestFiller = 2 ** 20;

/**
 * Reads a journal up to its last line that counts; what a crash left after it is not part of it. Other work goes on
 * meanwhile: a long journal takes some seconds.
 * @param onStep called now and then; what it throws ends the reading
 * @throws Error when it cannot be read, or is damaged
 */
export async function readLocalJournal(
  { root, fs, trust }: { readonly root: string; readonly fs: FileSystem; readonly trust: Trust },
  onStep: () => void = () => undefined,
): Promise<LocalJournal> {
  const places: Place[] = [];
  const onLine = ({ at, end }: Place) => places.push({ at, end });
  const ledger = openLedger({ root, fs, trust, stateFile: noAnchor, onLine, startsUnread: true });
  try {
    while (ledger.catchUp(batchBytes)) {
      onStep();
      await nextTurn();
    }
    const { position, head, state, problem } = ledger;
    if (problem) throw new Error(problem.what);
    const rows = (from: number) => rowsOf({ root, fs, position, seals: state.seals, places }, from);
    return { size: nextOffset(ledger), head, lines: places.length, batches: (from) => batchesOf(rows(from)) };
  } finally {
    ledger.close();
  }
}

/** Where a line that counts begins and ends. */
interface Place {
  readonly at: number;
  readonly end: number;
}

interface Placed {
  readonly root: string;
  readonly fs: FileSystem;
  readonly position: number;
  readonly seals: readonly number[];
  readonly places: readonly Place[];
}

/** Reads only rows that begin at `from` or later. */
function* rowsOf({ root, fs, position, seals, places }: Placed, from: number): Generator<ImportRow> {
  const journal = openJournal(fs, journalPath(root), seals, position);
  if (!journal) return;
  try {
    let written = 0;
    for (const { at, end } of places) {
      for (; written < at; written = Math.min(at, written + longestFiller))
        if (written >= from)
          yield { at: written, kind: 'filler', bytes: journal.read(written, Math.min(at, written + longestFiller)) };
      // The line feed that ends it: after a seal, it is the first byte of the next file.
      if (at >= from) yield { at, kind: 'line', bytes: Buffer.concat([journal.read(at, end), lineFeed]) };
      written = seals.includes(end) ? end : end + 1;
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

/** A server that is busy or restarted gets this many more attempts without progress. */
const attemptsAllowed = 5;
const pauseMs = 1_000;
/** A second later, the server would say the same again. */
const isFinal: ReadonlySet<ServerErrorCode> = new Set(['refused', 'rejected', 'wrong']);

/**
 * Copies what the server does not have yet, so it can be repeated after an interruption.
 * @param onProgress called with the offset that the server has reached
 * @throws ServerError
 */
export async function sendJournal(
  server: Server,
  workspace: string,
  journal: LocalJournal,
  onProgress: (size: number) => void = () => undefined,
): Promise<void> {
  let reached = -1;
  for (let attempts = 0; ; attempts++) {
    try {
      await sendRest(server, workspace, journal, onProgress);
      return;
    } catch (error) {
      if (!(error instanceof ServerError) || isFinal.has(error.code)) throw error;
      const size = await sizeOf(server, workspace).catch(() => reached);
      if (size > reached) attempts = 0;
      if (attempts >= attemptsAllowed) throw error;
      reached = size;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function sizeOf(server: Server, workspace: string): Promise<number> {
  return (await server.tail(workspace, Number.MAX_SAFE_INTEGER)).size;
}

async function sendRest(
  server: Server,
  workspace: string,
  journal: LocalJournal,
  onProgress: (size: number) => void,
): Promise<void> {
  const batches = journal.batches(await sizeOf(server, workspace));
  let batch = batches.next();
  while (!batch.done) {
    const rows = batch.value;
    batch = batches.next();
    const end = batch.done ? journal.size : (batch.value[0]?.at ?? journal.size);
    await importRows(server, workspace, rows, end);
    onProgress(end);
  }
}
