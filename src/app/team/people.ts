/** The people of a team: their logins (two for each, one for the editor and one for their agents), which are members. */
import { isPersonName } from '../../core/kit/persons.ts';
import {
  addMember,
  members,
  removeMember,
  type Member,
  ownPerson,
  ring as ringOf,
  type Server,
  type Shared,
} from '../../store/shared/server.ts';
import { prepareDatabase, readSchema } from '../../store/shared/migrate.ts';
import { settingsOfUrl, urlOf, loginFile, ServerError } from '../../store/shared/settings.ts';
import { vouchingKeys, readRing, RingError } from '../../trust/ringRecords.ts';
import { AppError } from '../workspace/errors.ts';
import {
  readSharedRing,
  readSharedFile,
  removeSharedFiles,
  writeSharedFile,
  type SharedFile,
  type UserFiles,
} from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentsSettings, mapServerErrors, joinedHere, onServer, kindOf, saveAgentsLogin } from './servers.ts';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { StoreError } from '../../store/journal/problem.ts';

export type { Member };

export interface PersonsLogin {
  readonly person: string;
  readonly login: string;
  readonly kind: 'human' | 'agent';
  /** With its password; null for a login that existed before. */
  readonly url: string | null;
}

/** `Ada Lovelace` becomes ada_lovelace, and ada_lovelace_agent for the agents. */
function loginsOf(person: string): PersonsLogin[] {
  if (!isPersonName(person))
    throw new AppError('bad_input', `"${person}" cannot be part of an agent's id: use a name of one line without "/"`);
  const plain = person.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const login = plain.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '');
  if (login === '' || login.length > 50)
    throw new AppError('bad_input', `"${person}" gives no login: use a name with Latin letters, at most 50`);
  return [
    { person, login, kind: 'human', url: null },
    { person, login: `${login}_agent`, kind: 'agent', url: null },
  ];
}

/**
 * May run again at any time.
 * @param owner URL of a login that may create roles and schemas
 * @param schema path of `media/sql/schema.sql`
 * @throws AppError `denied` with every reason why the server is unfit, `bad_input`
 */
export async function prepareTeam(owner: string, schema: string, people: readonly string[]): Promise<PersonsLogin[]> {
  const logins = [...new Set(people)].flatMap(loginsOf);
  return mapServerErrors(async () => {
    const settings = settingsOfUrl(owner);
    const made = await prepareDatabase({ owner: settings, schema: readSchema(schema), logins });
    const urlFor = (user: string) => {
      const password = made.find(({ login }) => login === user)?.password ?? null;
      return password === null ? null : urlOf({ ...settings, user, password });
    };
    return logins.map((one) => ({ ...one, url: urlFor(one.login) }));
  });
}

interface Inviting {
  readonly person: string;
  /** URL of an administrator's own login. */
  readonly own: string;
  /** URL of the database's owner, who makes logins that do not exist; null if they do. */
  readonly owner: string | null;
  readonly schema: string;
}

export type Invitation = Awaited<ReturnType<typeof invite>>;

/** The person's logins become members. @throws AppError, ServerError, RingError */
export async function invite(workspace: Workspace, { person, own, owner, schema }: Inviting) {
  const shared = joinedHere(workspace);
  const named = loginsOf(person);
  if (owner !== null && (await mapServerErrors(() => Promise.resolve(placeOf(own) !== placeOf(owner)))))
    throw new AppError('bad_input', "the owner's URL names another database, or another server, than your own URL");
  const logins = owner === null ? named : await prepareTeam(owner, schema, [person]);
  await mapServerErrors(() =>
    onServer(own, async (server) => {
      for (const { login, kind } of named) await addMember(server, shared.workspace, { login, kind, person });
    }),
  );
  const ring = readSharedRing(workspace.options.fs, workspace.stateFile.path, shared);
  return {
    person,
    /** Of the shared workspace. */
    name: shared.name,
    logins: logins as readonly PersonsLogin[],
    /** Keys whose fingerprint the person can compare; any one of them. */
    roots: vouchingKeys(ring),
  };
}

function placeOf(url: string): string {
  const { host, port, database } = settingsOfUrl(url);
  return JSON.stringify([host, port, database]);
}

/** @throws AppError, ServerError */
export async function teamMembers(workspace: Workspace): Promise<readonly Member[]> {
  const { workspace: id } = joinedHere(workspace);
  return mapServerErrors(() => onServer(agentsSettings(workspace), (server) => members(server, id)));
}

/** @param url of an administrator's login @throws AppError, ServerError */
export async function removeLogin(workspace: Workspace, url: string, login: string): Promise<void> {
  const { workspace: id } = joinedHere(workspace);
  await mapServerErrors(() => onServer(url, (server) => removeMember(server, id, login)));
}

// Joins a workspace that a team shares: copies its journal to this machine. Decides nothing, so any program may do it.

export interface Joining {
  /** The workspace's name on the server. */
  readonly name: string;
  /** Fingerprint of a root key, compared over another channel. Spaces do not matter. */
  readonly fingerprint: string;
  /** URL of the agents' login, which is kept; null for one that this machine has already. */
  readonly url: string | null;
}

/**
 * Joins with the agents' login, and keeps it where this workspace's programs find it. Nothing is left of an attempt that failed.
 * @throws AppError `not_found`, `denied` (another root key; a human's login), `conflict` (the folder has another journal),
 *   `bad_input` (for example a pooler in transaction mode); ServerError, StoreError, RingError
 */
export async function joinTeam(workspace: Workspace, { url, ...joining }: Joining) {
  return mapServerErrors(async () => {
    const undo = url === null ? () => undefined : saveAgentsLogin(workspace, url);
    try {
      return await onServer(agentsSettings(workspace), async (server) => {
        // Programs of agents read what is kept here: with a human's login they could write as that human.
        if ((await kindOf(server)) !== 'agent')
          throw new AppError(
            'denied',
            "this is not an agents' login: agents would read it here. Join with the one of your agents, and connect your own in the editor",
          );
        const shared = await join(workspace, server, joining);
        /** `file` keeps the URL; null for the environment. */
        return { shared, file: url === null ? null : loginFile(workspace.stateFile.path) };
      });
    } catch (error) {
      undo();
      throw error;
    }
  });
}

async function join(workspace: Workspace, server: Server, joining: Omit<Joining, 'url'>): Promise<SharedFile> {
  await server.requireOwnConnection();
  const { id, name } = await findShared(server, joining.name);
  requireSameJournal(workspace, id);
  const root = await rootOf(server, id, joining.fingerprint);
  const person = await ownPerson(server, id);
  if (person === null) throw new AppError('denied', `this login is not a member of ${name}`);
  const files = { ...workspace.options, stateFile: workspace.stateFile.path };
  removeRingOfOthers(files, root);
  const shared = { v: 1, workspace: id, name, roots: [root], joinedAt: workspace.now(), person } as const;
  writeSharedFile(files, shared);
  try {
    workspace.reopen();
    // A failure matters only if the copy cannot be used: other parts of the program that notice the new connection open
    // it again in the meantime, which ends this one.
    const failure = await workspace.pull().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    const { state, problem } = workspace.standing();
    if (state) return shared;
    if (failure instanceof StoreError && failure.cause instanceof ServerError) throw failure.cause;
    throw failure ?? new AppError('conflict', problem.message);
  } catch (error) {
    removeSharedFiles(files);
    workspace.reopen();
    throw error;
  }
}

/** A team that lost its roots began another ring: the copy of the old one says nothing of it. */
function removeRingOfOthers(files: UserFiles, root: string): void {
  try {
    if (readSharedFile(files.fs, files.stateFile)?.roots.includes(root) === true) return;
  } catch {
    // It cannot be read: it is replaced.
  }
  removeSharedFiles(files);
}

async function findShared(server: Server, name: string): Promise<Shared> {
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
  // With the ring of this team, the copy may be usable again.
  if (problem && problem.code !== 'disconnected' && problem.code !== 'ring')
    throw new AppError('conflict', problem.message);
  if (state?.workspace && state.workspace.id !== id)
    throw new AppError('conflict', 'this folder has its own journal: share that one, or join in another clone');
}

/**
 * The root key that began the ring. The root with this fingerprint vouches for it by its own record, which covers all
 * earlier records; the first root does so with the first record.
 */
async function rootOf(server: Server, workspace: string, fingerprint: string): Promise<string> {
  const wanted = fingerprint.replace(/\s/g, '').toLowerCase();
  const records = await ringOf(server, workspace);
  for (const publicKey of firstRoots(records)) {
    try {
      if (vouchingKeys(readRing(records, { workspace, roots: [publicKey] }).ring).includes(wanted)) return publicKey;
    } catch (error) {
      if (!(error instanceof RingError)) throw error;
    }
  }
  throw new AppError(
    'denied',
    'no team owner key of this workspace has this fingerprint: compare it again with a person who has a team owner key. A key that became one later is known here after its first change of the keys',
  );
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
