/** The machine's copy of a shared journal: the server's rows, written at their offsets into the journal's files. */
import type { State } from '../../core/state/state.ts';
import type { FileSystem } from '../journal/files.ts';
import { replaceJournal } from '../journal/journalFile.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Row, Server, Tail } from './server.ts';

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

/** Whether the ledger has read all lines of the server. */
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
