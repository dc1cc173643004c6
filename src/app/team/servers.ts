/** Connections to a team's server: logins, where this machine's programs find them, and refusals as errors for people. */
import { agentsUrl, saveAgentsUrl, ServerError, settingsOfUrl, type Settings } from '../../store/shared/settings.ts';
import { openServer, type Server } from '../../store/shared/server.ts';
import { AppError } from '../workspace/errors.ts';
import { readSharedFile, type SharedFile, readSharedRing, rootNames } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { messageOf } from '../../store/journal/problem.ts';
import { freshnessOf, freshnessProblem } from '../workspace/freshness.ts';
import type { IgnoredRow } from '../../trust/ringRecords.ts';

/** What went wrong with a server; null for another error. */
export function serverFailure(error: unknown): { readonly code: ServerError['code']; readonly message: string } | null {
  return error instanceof ServerError ? error : null;
}

/**
 * @throws AppError: `denied` when the server refused the act or the login, `bad_input` for a wrong address or server; others
 *   as they are
 */
export async function mapServerErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof ServerError)) throw cause;
    if (cause.code === 'refused' || cause.code === 'rejected') throw new AppError('denied', cause.message, { cause });
    if (cause.code === 'wrong') throw new AppError('bad_input', cause.message, { cause });
    throw cause;
  }
}

/** Runs one act on a connection of its own. @param to settings, or a URL @throws ServerError, and what `act` throws */
export async function onServer<T>(to: Settings | string, act: (server: Server) => Promise<T>): Promise<T> {
  const server = openServer({ settings: typeof to === 'string' ? settingsOfUrl(to) : to });
  try {
    return await act(server);
  } finally {
    await server.close();
  }
}

export interface Address {
  readonly login: string;
  readonly host: string;
}

/** @throws ServerError `wrong`, without any part of the URL */
export function addressOf(url: string): Address {
  const { user, host } = settingsOfUrl(url);
  return { login: user, host };
}

/** `none`: the login belongs to neither kind, so it can do nothing. */
export type LoginKind = 'human' | 'agent' | 'none';

/** @throws ServerError */
export async function kindOf(server: Server): Promise<LoginKind> {
  const [row] = await server.call<{ kind: LoginKind }>(
    'reading',
    `select case when pg_has_role('holdpoint_human', 'member') then 'human'
      when pg_has_role('holdpoint_agent', 'member') then 'agent' else 'none' end as kind`,
  );
  return row?.kind ?? 'none';
}

export type TriedLogin = Awaited<ReturnType<typeof tryLogin>>;

/** Connects once. @throws ServerError */
export function tryLogin(url: string) {
  return onServer(url, async (server) => {
    // Those that it is a member of.
    const workspaces = (await server.workspaces()).map(({ id }) => id);
    return { ...addressOf(url), kind: await kindOf(server), workspaces };
  });
}

/** The id under which a workspace is or would be shared; null for an empty one. @throws Error when it cannot be read */
export function sharedIdOf(workspace: Workspace): string | null {
  const shared = readSharedFile(workspace.options.fs, workspace.stateFile.path);
  return shared?.workspace ?? workspace.standing().state?.workspace?.id ?? null;
}

/** Makes the journal of a folder that has none. @returns the id under which it can be shared @throws StoreError */
export async function beginJournal(workspace: Workspace): Promise<string | null> {
  const store = await workspace.store();
  await store.transact({ kind: 'system', id: 'holdpoint' }, () => ({ records: [], result: null }));
  return store.workspaceId;
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

/** Of the login that this machine's agents have. @throws ServerError */
export function agentsSettings({ options, stateFile }: Workspace): Settings {
  return settingsOfUrl(agentsUrl({ ...options, stateFile: stateFile.path }));
}

/** That login's name, or why there is none. */
export function agentsLogin(workspace: Workspace): { readonly login: string } | { readonly problem: string } {
  try {
    return { login: agentsSettings(workspace).user };
  } catch (error) {
    if (error instanceof ServerError) return { problem: error.message };
    throw error;
  }
}

/** Saves it for this workspace, readable only to this user. @returns undoes it @throws ServerError `wrong` */
export function saveAgentsLogin({ options, stateFile }: Workspace, url: string): () => void {
  return saveAgentsUrl({ ...options, stateFile: stateFile.path }, url);
}

// Whether this machine's copy of a shared journal is current, and what is known of its team without asking anybody.

export interface TeamStatus {
  /** `local`: the journal is this machine's own. */
  readonly state: 'local' | 'current' | 'offline' | 'unknown';
  /** When the server last confirmed this machine's copy, unless that was just now. */
  readonly since: string | null;
  /** On the server. */
  readonly name: string | null;
  readonly workspace: string | null;
  /** Ends of the journal, in bytes; null where not known. */
  readonly position: { readonly here: number | null; readonly server: number | null };
  /** Null where the key ring is not usable: then no decision is valid. */
  readonly ring: {
    readonly records: number;
    readonly roots: readonly string[];
    /** Rows without effect that the server has in its ring: the first ones. */
    readonly ignored: readonly IgnoredRow[];
  } | null;
  readonly problem: string | null;
}

const confirmMs = 10_000;

/** Asks the server, and works without it. Never rejects for a server that is away. */
export async function teamStatus(workspace: Workspace): Promise<TeamStatus> {
  const nothing = { since: null, name: null, workspace: null, position: { here: null, server: null }, ring: null };
  let shared: SharedFile | null;
  try {
    shared = readSharedFile(workspace.options.fs, workspace.stateFile.path);
  } catch (error) {
    return { ...nothing, state: 'unknown', problem: messageOf(error) };
  }
  if (!shared) {
    const { state, problem } = workspace.standing();
    const name = state?.shared?.name ?? null;
    const isUnknown = problem !== null || name !== null;
    return { ...nothing, name, state: isUnknown ? 'unknown' : 'local', problem: problem?.message ?? null };
  }
  await workspace.confirm(confirmMs);
  const there = await askServer(workspace, shared);
  const found = freshnessOf(workspace);
  const { problem } = workspace.standing();
  return {
    // Without a login, the copy may be as old as the last confirmation, however recent that is.
    state: problem || (there.problem !== null && found.state === 'current') ? 'unknown' : found.state,
    since: 'since' in found ? found.since : null,
    name: shared.name,
    workspace: shared.workspace,
    position: { here: endHere(workspace), server: there.size },
    ring: ringOf(workspace, shared),
    problem: problem?.message ?? there.problem ?? freshnessProblem(workspace, found)?.message ?? null,
  };
}

/** Offset of the next line, as the server counts: after the line feed of the last one. */
function endHere(workspace: Workspace): number | null {
  const { state } = workspace.standing();
  const { position } = workspace.position() ?? {};
  if (!state || position === undefined) return null;
  return position === 0 || state.sealed === position ? position : position + 1;
}

async function askServer(
  workspace: Workspace,
  { workspace: id }: SharedFile,
): Promise<{ readonly size: number | null; readonly problem: string | null }> {
  try {
    const all = await onServer(agentsSettings(workspace), (server) => server.workspaces());
    const size = all.find((each) => each.id === id)?.size ?? null;
    const problem = size === null ? "this machine's agents are no longer a member of this workspace" : null;
    return { size, problem };
  } catch (error) {
    return { size: null, problem: messageOf(error) };
  }
}

function ringOf({ options, stateFile }: Workspace, shared: SharedFile): TeamStatus['ring'] {
  try {
    const { records, ignored, ...ring } = readSharedRing(options.fs, stateFile.path, shared);
    return { records: records.length, roots: rootNames(ring), ignored };
  } catch {
    return null;
  }
}
