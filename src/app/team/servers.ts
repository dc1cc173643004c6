/** What the team's use cases share: connections to the server, and its refusals as errors for people. */
import { members } from '../../store/shared/administration.ts';
import type { Member } from '../../store/shared/administration.ts';
import { settingsFrom } from '../../store/shared/connection.ts';
import { openServer } from '../../store/shared/server.ts';
import type { Server } from '../../store/shared/server.ts';
import { ServerError } from '../../store/shared/serverError.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import type { Settings } from '../../store/shared/settings.ts';
import { AppError } from '../workspace/errors.ts';
import { readSharedFile } from '../workspace/sharedFile.ts';
import type { SharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * @throws AppError: `denied` when the server refused the act or the login, `bad_input` for a wrong address or server; others
 *   as they are
 */
export async function asked<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof ServerError)) throw cause;
    if (cause.code === 'refused' || cause.code === 'rejected') throw new AppError('denied', cause.message, { cause });
    if (cause.code === 'wrong') throw new AppError('bad_input', cause.message, { cause });
    throw cause;
  }
}

/** Runs one act on a connection of its own. */
export async function onServer<T>(settings: Settings, act: (server: Server) => Promise<T>): Promise<T> {
  const server = openServer({ settings, connectMs: 3_000 });
  try {
    return await act(server);
  } finally {
    await server.close();
  }
}

/** The login that this machine's agents have. @throws ServerError */
export function agentsSettings(workspace: Workspace, connection: SharedFile['connection']): Settings {
  const { options, userFolder } = workspace;
  return settingsFrom(connection, { ...options, userFolder });
}

/** @throws AppError `not_found` */
export function joinedHere({ options, stateFile }: Workspace): SharedFile {
  const shared = readSharedFile(options.fs, stateFile.path);
  if (shared) return shared;
  throw new AppError(
    'not_found',
    'this workspace is not shared with a team on this machine: "holdpoint team join" joins one',
  );
}

/** @param url of the human's own login @throws AppError, ServerError */
export async function asHuman<T>(url: string, act: (server: Server) => Promise<T>): Promise<T> {
  return asked(() => onServer(settingsOfUrl(url), act));
}

export async function membersOf(workspace: Workspace, shared: SharedFile): Promise<readonly Member[]> {
  return asked(() =>
    onServer(agentsSettings(workspace, shared.connection), (server) => members(server, shared.workspace)),
  );
}
