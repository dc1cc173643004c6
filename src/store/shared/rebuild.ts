/** Fetches the whole journal again, for a copy that was damaged, cut short, replaced or removed. */
import type { FileSystem } from '../journal/files.ts';
import { replaceJournal } from '../journal/journalFile.ts';
import { readSegment } from '../journal/line.ts';
import type { Row, Server } from './server.ts';

interface Place {
  readonly root: string;
  readonly fs: FileSystem;
  readonly newId: () => string;
}

/**
 * Replaces the copy; the files that were there are renamed. Whether the server's journal is the one that this machine
 * knew is checked when the copy is opened, by the anchor.
 * @throws ServerError, or Error when the disk refuses
 */
export async function rebuildCopy(place: Place, server: Pick<Server, 'tail'>, workspace: string): Promise<void> {
  const rows = await allRows(server, workspace);
  const last = rows.at(-1);
  const bytes = Buffer.alloc(last ? last.at + last.bytes.length : 0);
  const ends: number[] = [];
  for (const row of rows) {
    row.bytes.copy(bytes, row.at);
    const { at, bytes: line } = row;
    const segment = readSegment(line, at, at);
    // The line feed that ends a seal is the first byte of the next file.
    if (segment.kind === 'line' && segment.body.at === at && isSeal(segment.body.records)) ends.push(segment.next);
  }
  replaceJournal(place.fs, place.root, { bytes, ends }, place.newId);
}

function isSeal(records: readonly unknown[]): boolean {
  return records.some(
    (record) => typeof record === 'object' && record !== null && 'kind' in record && record.kind === 'segment.sealed',
  );
}

async function allRows(server: Pick<Server, 'tail'>, workspace: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const from = (rows.at(-1)?.at ?? -1) + 1;
    const tail = await server.tail(workspace, from);
    if (tail.rows.length === 0) return rows;
    rows.push(...tail.rows);
  }
}
