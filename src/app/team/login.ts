/** Logins to a team's server: trying one, and where this machine's programs find the one of the agents. */
import path from 'node:path';
import { databaseUrl, settingsFrom } from '../../store/shared/connection.ts';
import type { Surroundings } from '../../store/shared/connection.ts';
import { openServer } from '../../store/shared/server.ts';
import type { Server } from '../../store/shared/server.ts';
import { ServerError } from '../../store/shared/serverError.ts';
import { writeService } from '../../store/shared/serviceFile.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import { readSharedFile, writeSharedFile } from '../workspace/sharedFile.ts';
import type { SharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What went wrong with a server; null for another error. */
export function serverFailure(error: unknown): { readonly code: ServerError['code']; readonly message: string } | null {
  return error instanceof ServerError ? error : null;
}

/** The id under which a workspace is or would be shared; null for an empty one. @throws Error when it cannot be read */
export function sharedIdOf(workspace: Workspace): string | null {
  const shared = readSharedFile(workspace.options.fs, workspace.stateFile.path);
  return shared?.workspace ?? workspace.standing().state?.workspace?.id ?? null;
}

export interface Address {
  readonly login: string;
  readonly host: string;
  readonly database: string;
}

/** @throws ServerError `wrong`, without any part of the URL */
export function addressOf(url: string): Address {
  const { user, host, database } = settingsOfUrl(url);
  return { login: user, host, database };
}

/** Opens a connection for `act`, and closes it. @throws ServerError, and what `act` throws */
export async function withServer<T>(url: string, act: (server: Server) => Promise<T>): Promise<T> {
  const server = openServer({ settings: settingsOfUrl(url) });
  try {
    return await act(server);
  } finally {
    await server.close();
  }
}

/** `none`: the login belongs to neither kind, so it can do nothing. */
export type LoginKind = 'human' | 'agent' | 'none';

export interface TriedLogin extends Address {
  readonly kind: LoginKind;
  /** Names of the workspaces that it is a member of. */
  readonly workspaces: readonly string[];
  /** Whether the given workspace is one of them. */
  readonly member: boolean;
}

/** Connects once. @throws ServerError */
export async function tryLogin(url: string, workspace: string | null): Promise<TriedLogin> {
  return withServer(url, async (server) => {
    const [row] = await server.session.call<{ kind: LoginKind }>('reading', kindOfLogin);
    const found = await server.workspaces();
    return {
      ...addressOf(url),
      kind: row?.kind ?? 'none',
      workspaces: found.map(({ name }) => name),
      member: found.some(({ id }) => id === workspace),
    };
  });
}

const kindOfLogin = `select case
  when pg_catalog.pg_has_role(current_user, 'holdpoint_human', 'member') then 'human'
  when pg_catalog.pg_has_role(current_user, 'holdpoint_agent', 'member') then 'agent'
  else 'none' end as kind`;

/** Where the programs of this machine find the agents' login: in their environment, or as our own service. */
export function agentsLogin(
  workspace: Workspace,
): { readonly login: string; readonly connection: SharedFile['connection'] } | { readonly problem: string } {
  const surroundings = surroundingsOf(workspace);
  const own = { kind: 'service', name: serviceOf(workspace) } as const;
  const variable = { kind: 'env', name: databaseUrl } as const;
  const joined = readSharedFile(workspace.options.fs, workspace.stateFile.path)?.connection;
  // A service that was saved for this workspace is more specific than the environment.
  const connection = joined ?? (loginAt(own, surroundings) === null ? variable : own);
  try {
    return { login: settingsFrom(connection, surroundings).user, connection };
  } catch (error) {
    if (error instanceof ServerError) return { problem: error.message };
    throw error;
  }
}

function loginAt(connection: SharedFile['connection'], surroundings: Surroundings): string | null {
  try {
    return settingsFrom(connection, surroundings).user;
  } catch {
    return null;
  }
}

/** Saves the agents' login for this workspace, readable only to this user. @throws ServerError `wrong` */
export function saveAgentsLogin(workspace: Workspace, url: string): void {
  const { options, stateFile, userFolder } = workspace;
  const { fs, newId } = options;
  const joined = readSharedFile(fs, stateFile.path);
  const name = joined?.connection.kind === 'service' ? joined.connection.name : serviceOf(workspace);
  writeService({ fs, userFolder, newId }, name, settingsOfUrl(url));
  if (joined)
    writeSharedFile({ fs, stateFile: stateFile.path, newId }, { ...joined, connection: { kind: 'service', name } });
}

function serviceOf({ stateFile }: Workspace): string {
  return `holdpoint-${path.basename(stateFile.path, '.json').slice(0, 16)}`;
}

function surroundingsOf({ options, userFolder }: Workspace): Surroundings {
  const { fs, env, home, platform } = options;
  return { fs, env, home, platform, userFolder };
}
