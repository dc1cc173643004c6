/** Where setup works: one folder of one user on one machine. */
import path from 'node:path';
import { system32 } from './batch.ts';
import type { HookCommand } from './commandLine.ts';
import { cmdCommand, posixCommand, powershellCommand } from './commandLine.ts';
import type { HostName } from '../names.ts';
import type { AskedGit } from './gitPlaces.ts';
import { denialOf } from '../payload/forms.ts';

export interface Place {
  /** Absolute path of the agents' folder. */
  readonly workspace: string;
  readonly home: string;
  /** Folder of the user-level files. */
  readonly userFolder: string;
  /** Absolute path of the launcher, without extension (launcher.ts). */
  readonly launcher: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What git said of the folder, if it was asked before (`askGit`). */
  readonly git?: AskedGit | undefined;
}

/** A host's hook command for the default shell of this platform. */
export function hookCommand(
  place: Place,
  host: HostName,
  {
    denying,
    after = false,
    shell = place.platform === 'win32' ? 'cmd' : 'posix',
  }: { denying: boolean; after?: boolean; shell?: 'posix' | 'cmd' | 'powershell' },
): string {
  const denial = denialOf(host);
  const hook: HookCommand = {
    host,
    launcher: place.launcher,
    workspace: place.workspace,
    denying,
    ...(after ? { after } : {}),
    ...(denial ? { denial } : {}),
  };
  return { posix: posixCommand, cmd: cmdCommand, powershell: powershellCommand }[shell](hook);
}

/**
 * Runs the launcher without a shell. A batch file on Windows needs `cmd`, which would take the first and last of several
 * quotes away if a quoted path came first.
 */
export function launching({ launcher, platform }: Pick<Place, 'launcher' | 'platform'>): [string, ...string[]] {
  return platform === 'win32' ? [`${system32}\\cmd.exe`, '/d', '/c', 'call', `${launcher}.cmd`] : [launcher];
}

/** The MCP server as program and arguments. */
export function mcpCommand(place: Place, agentType: string | null): { command: string; args: string[] } {
  const [command, ...before] = launching(place);
  const args = [
    ...before,
    'mcp',
    '--workspace',
    place.workspace,
    ...(agentType === null ? [] : ['--agent-type', agentType]),
  ];
  return { command, args };
}

export function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
