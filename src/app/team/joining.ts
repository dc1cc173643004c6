/** Joins a workspace that a team shares: copies its journal to this machine. Decides nothing, so any program may do it. */
import { ring as ringOf } from '../../store/shared/administration.ts';
import type { Server, Shared } from '../../store/shared/server.ts';
import { keyId } from '../../trust/envelope.ts';
import { verifyRing } from '../../trust/ringRecords.ts';
import { AppError } from '../workspace/errors.ts';
import { removeSharedFiles, writeSharedFile } from '../workspace/sharedFile.ts';
import type { SharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Joining {
  readonly workspace: Workspace;
  readonly server: Server;
  /** The workspace's name on the server. */
  readonly name: string;
  /** Fingerprint of a root key, compared over another channel. Spaces do not matter. */
  readonly fingerprint: string;
  readonly connection: SharedFile['connection'];
}

/**
 * @returns how many lines the copy has
 * @throws AppError `not_found`, `denied` (another root key), `conflict` (the folder has another journal); ServerError
 */
export async function joinTeam(joining: Joining): Promise<SharedFile> {
  const { workspace, server, connection } = joining;
  const { fs, newId } = workspace.options;
  const { id, name } = await found(joining);
  requireSameJournal(workspace, id);
  const root = await rootOf(server, id, joining.fingerprint);
  const files = { fs, stateFile: workspace.stateFile.path, newId };
  const shared: SharedFile = { v: 1, workspace: id, name, connection, roots: [root], joinedAt: workspace.now() };
  writeSharedFile(files, shared);
  try {
    workspace.reopen();
    await workspace.confirm(copyMs);
    const { state, problem } = workspace.standing();
    if (!state) throw new AppError('conflict', problem.message);
    return shared;
  } catch (error) {
    removeSharedFiles(files);
    workspace.reopen();
    throw error;
  }
}

/** A journal of 100,000 lines takes some seconds to copy. */
const copyMs = 10 * 60_000;

async function found({ server, name }: Joining): Promise<Shared> {
  const all = await server.workspaces();
  const one = all.find((each) => each.name === name);
  if (one?.open) return one;
  if (one) throw new AppError('conflict', `${name} is still being copied to the server: try again later`);
  const names = all.map((each) => each.name).join(', ');
  throw new AppError(
    'not_found',
    `this login is not a member of a workspace ${name}${names && `; it is one of: ${names}`}`,
  );
}

function requireSameJournal(workspace: Workspace, id: string): void {
  const { state, problem } = workspace.standing();
  if (problem && problem.code !== 'disconnected') throw new AppError('conflict', problem.message);
  if (state?.workspace && state.workspace.id !== id)
    throw new AppError('conflict', 'this folder has a journal of its own: share that one, or join in another clone');
}

/** The root key with this fingerprint. The ring must be valid under it. */
async function rootOf(server: Server, workspace: string, fingerprint: string): Promise<string> {
  const wanted = fingerprint.replace(/\s/g, '').toLowerCase();
  const records = (await ringOf(server, workspace)).map(({ record }) => record);
  for (const publicKey of rootKeys(records)) {
    if (keyId(Buffer.from(publicKey, 'base64')) !== wanted) continue;
    verifyRing(records, { workspace, roots: [publicKey] });
    return publicKey;
  }
  throw new AppError(
    'denied',
    'no root key of this workspace has this fingerprint: compare it again with the person who shared it',
  );
}

function rootKeys(records: readonly Uint8Array[]): string[] {
  return records.flatMap((bytes) => {
    const record = JSON.parse(Buffer.from(bytes).toString('utf8')) as { act?: unknown; key?: { publicKey?: unknown } };
    const publicKey = record.key?.publicKey;
    return record.act === 'root' && typeof publicKey === 'string' ? [publicKey] : [];
  });
}
