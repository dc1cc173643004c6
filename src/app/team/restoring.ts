/**
 * After an old backup of the server was restored, the server lacks lines that machines have. A human puts them back from the
 * copy on this machine, byte for byte, if the server ends where they begin.
 */
import { ring as ringOf } from '../../store/shared/administration.ts';
import { readLocalJournal } from '../../store/shared/moving.ts';
import type { LocalJournal } from '../../store/shared/moving.ts';
import { putBack } from '../../store/shared/putBack.ts';
import type { Lost } from '../../store/shared/putBack.ts';
import type { Row, Server, Shared } from '../../store/shared/server.ts';
import { createTrust } from '../../trust/envelope.ts';
import { hashOfRecord, readRing, RingError } from '../../trust/ringRecords.ts';
import { AppError } from '../workspace/errors.ts';
import type { SharedFile } from '../workspace/sharedFile.ts';
import { seenRing } from '../workspace/sharedRing.ts';
import type { SharedRing } from '../workspace/sharedRing.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentsSettings, asHuman, asked, joinedHere, onServer } from './servers.ts';

/** What the server lacks. */
export interface Missing {
  readonly lines: number;
  readonly bytes: number;
  /** Times of the first and the last line; null without lines. */
  readonly from: string | null;
  readonly to: string | null;
  /** Records in these lines, by kind. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  /** Records of the team's key ring. */
  readonly keys: number;
}

/** @throws AppError `conflict` when the server has other lines or keys than this machine; RingError, ServerError */
export async function missingOnServer(workspace: Workspace): Promise<Missing> {
  const shared = joinedHere(workspace);
  const lost = await asked(() =>
    onServer(agentsSettings(workspace, shared.connection), (server) => lostOn(server, workspace, shared)),
  );
  return missingIn(lost);
}

/**
 * Puts it back, all at once.
 * @param url of a human's login; an administrator's if records of the key ring are missing
 * @throws AppError `conflict` when the server has other lines or keys than this machine, or gets some meanwhile: then
 * nothing was put back; RingError, ServerError
 */
export async function restoreServer(workspace: Workspace, url: string): Promise<Missing> {
  const shared = joinedHere(workspace);
  const lost = await asHuman(url, async (server) => {
    const found = await lostOn(server, workspace, shared);
    if (found.lines.length + found.records.length > 0 && !(await putBack(server, shared.workspace, found)))
      throw other('lines');
    return found;
  });
  workspace.reopen();
  await workspace.confirm(confirmMs);
  return missingIn(lost);
}

const confirmMs = 15_000;

async function lostOn(server: Server, workspace: Workspace, { workspace: id, roots }: SharedFile): Promise<Lost> {
  const { fs } = workspace.options;
  const seen = seenRing(fs, workspace.stateFile.path, { workspace: id, roots });
  const there = (await server.workspaces()).find((one) => one.id === id);
  if (!there?.open)
    throw new AppError(
      'not_found',
      'the server does not have this workspace, or this login is not a member: restore the database first, then add the members',
    );
  const rows = (await ringOf(server, id)).map(({ record }) => record);
  const journal = await readLocalJournal({
    root: workspace.location.root,
    fs,
    trust: createTrust(() => seen.pins),
  });
  return { lines: linesAfter(journal, there), records: recordsAfter(seen, rows, roots), after: rows.length };
}

function recordsAfter(seen: SharedRing, rows: readonly Uint8Array[], roots: readonly string[]): readonly Uint8Array[] {
  const there = chainIn(seen.workspace, rows, roots);
  const isOurs = there.every((record, index) => {
    const ours = seen.records[index];
    return ours === undefined || hashOfRecord(ours) === hashOfRecord(record);
  });
  if (!isOurs) throw other('keys');
  return seen.records.slice(there.length);
}

function chainIn(workspace: string, rows: readonly Uint8Array[], roots: readonly string[]): readonly Uint8Array[] {
  try {
    return readRing(rows, { workspace, roots }).records;
  } catch (error) {
    if (error instanceof RingError) return [];
    throw error;
  }
}

/** @throws AppError `conflict` unless this machine's line at the server's end is the server's last one */
function linesAfter(journal: LocalJournal, { size, head }: Shared): Row[] {
  if (size > journal.size) throw other('lines');
  const lost: Row[] = [];
  let last = '';
  for (const rows of journal.batches(0))
    for (const { at, kind, bytes } of rows) {
      if (at >= size) {
        if (kind === 'filler' || (lost.length === 0 && (at !== size || last !== head))) throw other('lines');
        lost.push({ at, bytes });
      } else if (kind === 'line') last = hashIn(bytes);
    }
  if (lost.length === 0 && last !== head) throw other('lines');
  return lost;
}

/** A line begins with a line feed, its length and its hash. */
function hashIn(bytes: Buffer): string {
  return bytes.subarray(0, 80).toString('latin1').split(' ')[1] ?? '';
}

function other(what: 'lines' | 'keys'): AppError {
  return new AppError(
    'conflict',
    `the server has other ${what} than this machine's copy, so nothing was put back: a human decides which journal goes on`,
  );
}

function missingIn({ lines, records }: Lost): Missing {
  const kinds = new Map<string, number>();
  const times: string[] = [];
  for (const { bytes } of lines) {
    const text = bytes.toString('utf8');
    const line = JSON.parse(text.slice(text.indexOf('{'))) as { time: string; records: readonly { kind: string }[] };
    times.push(line.time);
    for (const { kind } of line.records) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return {
    lines: lines.length,
    bytes: lines.reduce((sum, { bytes }) => sum + bytes.length, 0),
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    kinds: [...kinds].map(([kind, count]) => ({ kind, count })).sort((a, b) => a.kind.localeCompare(b.kind)),
    keys: records.length,
  };
}
