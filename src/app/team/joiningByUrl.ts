/** Joins a shared workspace with the agents' login: where its address is kept, and that no human's login is used. */
import { serviceFiles, settingsFrom } from '../../store/shared/connection.ts';
import { writeService } from '../../store/shared/serviceFile.ts';
import type { Server } from '../../store/shared/server.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import { AppError } from '../workspace/errors.ts';
import type { SharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { joinTeam } from './joining.ts';
import { asked, onServer } from './servers.ts';

export interface JoiningByUrl {
  /** The workspace's name on the server. */
  readonly name: string;
  readonly fingerprint: string;
  /** URL of the agents' login, to be kept as a service; null when it is kept somewhere already. */
  readonly url: string | null;
  readonly connection: SharedFile['connection'];
}

export interface Joined {
  readonly shared: SharedFile;
  /** In the copy on this machine. */
  readonly lines: number;
  /** File that keeps the address; null for the environment. */
  readonly file: string | null;
}

/** @throws AppError as `joinTeam`, and `denied` for a human's login; nothing is left of an attempt that failed */
export async function joinByUrl(
  workspace: Workspace,
  { name, fingerprint, url, connection }: JoiningByUrl,
): Promise<Joined> {
  const { options, userFolder } = workspace;
  const surroundings = { ...options, userFolder };
  return asked(async () => {
    const settings = url === null ? settingsFrom(connection, surroundings) : settingsOfUrl(url);
    return onServer(settings, async (server) => {
      await requireAgents(server);
      const undo = url === null ? () => undefined : writeService(surroundings, connection.name, settings);
      try {
        const shared = await joinTeam({ workspace, server, name, fingerprint, connection });
        const file = url === null ? null : (serviceFiles(surroundings)[0] ?? null);
        return { shared, lines: await linesOn(server, shared.workspace), file };
      } catch (error) {
        undo();
        throw error;
      }
    });
  });
}

/** Programs of agents read what is kept here: with a human's login they could write as that human. */
async function requireAgents({ session }: Server): Promise<void> {
  const rows = await session.call<{ agents: boolean }>(
    'reading',
    `select pg_has_role('holdpoint_agent', 'member') and not pg_has_role('holdpoint_human', 'member') as agents`,
  );
  if (rows[0]?.agents !== true)
    throw new AppError(
      'denied',
      "this is not an agents' login: agents would read it here. Join with the one of your agents, and connect your own in the editor",
    );
}

async function linesOn({ session }: Server, workspace: string): Promise<number> {
  const text = `select count(*)::int as lines from holdpoint.line where workspace = $1 and kind = 'line'`;
  return (await session.call<{ lines: number }>('reading', text, [workspace]))[0]?.lines ?? 0;
}
