/** A local journal as rows for the server: every byte, each at its offset. */
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
 * Reads a journal up to its last line that counts; what a crash left after it is not part of it.
 * @throws Error when it cannot be read, or is damaged
 */
export function readLocalJournal({ root, fs, trust }: { root: string; fs: FileSystem; trust: Trust }): LocalJournal {
  const places: { readonly at: number; readonly end: number }[] = [];
  const ledger = openLedger({
    root,
    fs,
    trust,
    stateFile: noAnchor,
    onLine: ({ at, end }) => places.push({ at, end }),
  });
  const { position, head, state, problem } = ledger;
  ledger.close();
  if (problem) throw new Error(problem.what);
  const size = nextOffset(ledger);

  function* rows(): Generator<ImportRow> {
    const journal = openJournal(fs, journalPath(root), state.seals, position);
    if (!journal) return;
    try {
      let written = 0;
      for (const { at, end } of places) {
        for (let from = written; from < at; from = Math.min(at, from + longestFiller))
          yield { at: from, kind: 'filler', bytes: journal.read(from, Math.min(at, from + longestFiller)) };
        const body = journal.read(at, end);
        // The line feed that ends it: after a seal, it is the first byte of the next file.
        yield { at, kind: 'line', bytes: Buffer.concat([body, lineFeed]) };
        written = state.seals.includes(end) ? end : end + 1;
      }
    } finally {
      journal.close();
    }
  }

  return {
    size,
    head,
    lines: places.length,
    *batches(from) {
      let batch: ImportRow[] = [];
      let bytes = 0;
      for (const row of rows()) {
        if (row.at < from) continue;
        if (batch.length >= batchRows || bytes + row.bytes.length > batchBytes) {
          yield batch;
          [batch, bytes] = [[], 0];
        }
        batch.push(row);
        bytes += row.bytes.length;
      }
      if (batch.length > 0) yield batch;
    },
  };
}

const lineFeed = Buffer.from('\n');

/** A server that is busy or restarted gets this many more attempts without progress. */
const attemptsAllowed = 5;
const pauseMs = 1_000;

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
      if (!(error instanceof ServerError) || error.code === 'refused' || error.code === 'wrong') throw error;
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
