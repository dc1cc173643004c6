/** Joins a workspace that a team shares: copies its journal to this machine. Decides nothing, so any program may do it. */
import { jsonOrNull } from '../../core/kit/json.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { ownPerson, ring as ringOf } from '../../store/shared/administration.ts';
import { serviceFiles, settingsFrom } from '../../store/shared/connection.ts';
import type { Server, Shared } from '../../store/shared/server.ts';
import { ServerError } from '../../store/shared/serverError.ts';
import { writeService } from '../../store/shared/serviceFile.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import { readRing, RingError, vouching } from '../../trust/ringRecords.ts';
import type { RingAnchor, VerifiedRing } from '../../trust/ringRecords.ts';
import { AppError } from '../workspace/errors.ts';
import { readSharedFile, removeSharedFiles, writeSharedFile } from '../workspace/sharedFile.ts';
import type { SharedFile, UserFiles } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentsSettings, asked, kindOf, onServer } from './servers.ts';

export interface JoiningByUrl extends Omit<Joining, 'workspace' | 'server'> {
  /** URL of the agents' login, to be kept as a service; null when it is kept somewhere already. */
  readonly url: string | null;
}

export interface Joined {
  readonly shared: SharedFile;
  /** Bytes of the journal, as on the server. */
  readonly bytes: number;
  /** File that keeps the address; null for the environment. */
  readonly file: string | null;
}

/**
 * Joins with the agents' login, and keeps it where all programs of this user find it.
 * @throws AppError as `joinTeam`, and `denied` for a human's login; nothing is left of an attempt that failed
 */
export async function joinByUrl(workspace: Workspace, { url, ...joining }: JoiningByUrl): Promise<Joined> {
  const { options, userFolder } = workspace;
  const surroundings = { ...options, userFolder };
  const { connection } = joining;
  return asked(async () => {
    const settings = url === null ? settingsFrom(connection, surroundings) : settingsOfUrl(url);
    return onServer(settings, async (server) => {
      // Programs of agents read what is kept here: with a human's login they could write as that human.
      if ((await kindOf(server)) !== 'agent')
        throw new AppError(
          'denied',
          "this is not an agents' login: agents would read it here. Join with the one of your agents, and connect your own in the editor",
        );
      const undo = url === null ? () => undefined : writeService(surroundings, connection.name, settings);
      try {
        const shared = await joinTeam({ workspace, server, ...joining });
        const { size } = await server.tail(shared.workspace, Number.MAX_SAFE_INTEGER);
        return { shared, bytes: size, file: url === null ? null : (serviceFiles(surroundings)[0] ?? null) };
      } catch (error) {
        undo();
        throw error;
      }
    });
  });
}

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
 * @throws AppError `not_found`, `denied` (another root key), `conflict` (the folder has another journal); ServerError, for
 *   example `wrong` behind a pooler in transaction mode, and for the agents' login as well; StoreError, RingError
 */
export async function joinTeam(joining: Joining): Promise<SharedFile> {
  const { workspace, server, connection } = joining;
  const { fs, newId } = workspace.options;
  await server.requireOwnConnection();
  const { id, name } = await found(joining);
  requireSameJournal(workspace, id);
  const root = await rootOf(server, id, joining.fingerprint);
  const person = await personOfAgents(joining, id);
  const files = { fs, stateFile: workspace.stateFile.path, newId };
  const shared: SharedFile = {
    v: 1,
    workspace: id,
    name,
    connection,
    roots: [root],
    joinedAt: workspace.now(),
    person,
  };
  removeRingOfOthers(files, root);
  writeSharedFile(files, shared);
  try {
    workspace.reopen();
    const failure = await failureOfPull(workspace);
    const { state, problem } = workspace.standing();
    if (!state) throw failure ?? new AppError('conflict', problem.message);
    return shared;
  } catch (error) {
    removeSharedFiles(files);
    workspace.reopen();
    throw error;
  }
}

/** A team that lost its roots began another ring: the copy of the old one says nothing of it. */
function removeRingOfOthers(files: UserFiles, root: string): void {
  const before = sharedFileOrNull(files);
  if (before?.roots.includes(root) !== true) removeSharedFiles(files);
}

function sharedFileOrNull({ fs, stateFile }: UserFiles): SharedFile | null {
  try {
    return readSharedFile(fs, stateFile);
  } catch {
    return null;
  }
}

/**
 * A journal of 100,000 lines takes some seconds to copy. A failure counts only if the copy cannot be used: other parts of the
 * program that notice the new connection open it again meanwhile, which ends this one.
 */
async function failureOfPull(workspace: Workspace): Promise<Error | null> {
  try {
    await workspace.pull();
    return null;
  } catch (error) {
    const cause = error instanceof StoreError && error.cause instanceof ServerError ? error.cause : error;
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

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

/** The agents' login copies the journal, from now on, and says whose agents they are. */
async function personOfAgents({ workspace, connection, name }: Joining, id: string): Promise<string> {
  const settings = agentsSettings(workspace, connection);
  const person = await onServer(settings, (server) => ownPerson(server, id));
  if (person !== null) return person;
  throw new AppError(
    'denied',
    `the login of your agents, ${settings.user}, is not a member of ${name}: ask an administrator of the team to add it`,
  );
}

function requireSameJournal(workspace: Workspace, id: string): void {
  const { state, problem } = workspace.standing();
  // With the ring of this team, the copy may be usable again.
  if (problem && problem.code !== 'disconnected' && problem.code !== 'ring')
    throw new AppError('conflict', problem.message);
  if (state?.workspace && state.workspace.id !== id)
    throw new AppError('conflict', 'this folder has a journal of its own: share that one, or join in another clone');
}

/**
 * The root key that began the ring. The root with this fingerprint vouches for it by a record of its own, which names all
 * records before; the first root does so with the first record.
 */
async function rootOf(server: Server, workspace: string, fingerprint: string): Promise<string> {
  const wanted = fingerprint.replace(/\s/g, '').toLowerCase();
  const records = (await ringOf(server, workspace)).map(({ record }) => record);
  for (const publicKey of firstRoots(records)) {
    const ring = ringFrom(records, { workspace, roots: [publicKey] });
    if (ring && vouching(ring).includes(wanted)) return publicKey;
  }
  throw new AppError(
    'denied',
    'no root key of this workspace has this fingerprint: compare it again with a person whose key is a root. One who became a root later counts here after their first change of the keys',
  );
}

function ringFrom(records: readonly Uint8Array[], anchor: RingAnchor): VerifiedRing | null {
  try {
    return readRing(records, anchor).ring;
  } catch (error) {
    if (error instanceof RingError) return null;
    throw error;
  }
}

function firstRoots(records: readonly Uint8Array[]): string[] {
  return records.flatMap((bytes) => {
    const record = jsonOrNull(Buffer.from(bytes).toString('utf8')) as {
      act?: unknown;
      key?: { publicKey?: unknown } | null;
    } | null;
    const publicKey = record?.key?.publicKey;
    return record?.act === 'root' && typeof publicKey === 'string' ? [publicKey] : [];
  });
}
