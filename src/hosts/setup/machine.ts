/**
 * Where an administrator's rules are: files that hosts read for every user of the machine, and that agents cannot write.
 * Sources: the hosts' documentation of managed settings, and their programs (Claude Code 2.1.330, Codex 0.169, Copilot
 * CLI 1.0.102), run on Linux. Cursor could not be run.
 */
import path from 'node:path';
import type { HostName } from '../host.ts';
import { hosts } from '../hosts.ts';
import {
  cleared,
  clearedOnWindows,
  lastLine,
  lastLineOnWindows,
  notInCurrentFolder,
  posixQuoted,
  system32,
  watchedHook,
} from './launcher.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The folder that stands for the root of the file system: empty, except in tests. */
  readonly root: string;
  /** User id of the administrator, who owns every file: 0, except in tests. */
  readonly owner: number;
}

export function thisMachineOf(platform: NodeJS.Platform): Machine {
  return { platform, root: '', owner: 0 };
}

export const machineHosts = ['claude-code', 'codex', 'copilot-cli', 'cursor'] as const satisfies readonly HostName[];
export type MachineHost = (typeof machineHosts)[number];

export function isMachineHost(name: string): name is MachineHost {
  return machineHosts.some((known) => known === name);
}

interface Places extends Readonly<Record<MachineHost, string>> {
  /** The launcher and the programs it runs. */
  readonly programs: string;
}

const programs = {
  linux: '/opt/holdpoint',
  // Homebrew can make /usr/local and /opt/homebrew a user's.
  darwin: '/Library/Application Support/holdpoint/programs',
  win32: 'C:\\Program Files\\Holdpoint',
};

export function placesOf({ platform }: Machine): Places {
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  const files = machineHosts.map((host) => [host, hosts[host].setup.machine?.[system] ?? ''] as const);
  return { ...(Object.fromEntries(files) as Record<MachineHost, string>), programs: programs[system] };
}

export function onDisk({ root }: Machine, file: string): string {
  return root === '' ? file : path.join(root, file.replace(/^[A-Z]:/, '').replaceAll('\\', '/'));
}

/** Absolute path of the administrator's launcher, as hosts' files name it. */
export function machineLauncherPath(machine: Machine): string {
  const { programs } = placesOf(machine);
  return machine.platform === 'win32'
    ? path.win32.join(programs, 'bin', 'holdpoint.cmd')
    : path.posix.join(programs, 'bin', 'holdpoint');
}

export function versionFolder(machine: Machine, version: string): string {
  const { join } = machine.platform === 'win32' ? path.win32 : path.posix;
  return join(placesOf(machine).programs, 'versions', version);
}

/**
 * The administrator's launcher. Hosts start it for every user and folder, some of them without a shell, so it turns
 * every failure into exit code 2 itself. It takes nothing from the environment that could change the answer: the search
 * path is the system's, and the hook finds the user's folder by the account (hook/machine.ts).
 */
export interface MachineStart {
  /** Absolute path of a Node that only administrators can change. */
  readonly node: string;
  readonly electron: boolean;
  readonly programs: string;
}

const broken =
  'Holdpoint cannot tell whether this may continue, so it is denied. Ask the administrator of this machine to run: holdpoint setup --machine --check';

/** Last argument of hooks that only add context: their failure stops nothing. */
export const contextOption = '--context';

export function posixMachineLauncher({ node, electron, programs }: MachineStart): string {
  return `#!/bin/sh
# Written by "holdpoint setup --machine". Hosts of agents call it before each tool call.
unset ${cleared.join(' ')}
PATH=/usr/bin:/bin:/usr/sbin:/sbin
node=${posixQuoted(node)}
programs=${posixQuoted(programs)}
export PATH node programs${electron ? '\nexport ELECTRON_RUN_AS_NODE=1' : ''}
run() {
/bin/sh -c ${posixQuoted(watchedHook)} sh "$@" --machine
}
start() {
shift
case "$*" in
  *' ${contextOption}') run "$@" || exit 0 ;;
  *) run "$@" || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; } ;;
esac
}
${lastLine}
`;
}

export function windowsMachineLauncher({ node, electron, programs }: MachineStart): string {
  const program = `"${node}" "${programs}\\hook.cjs" %2 %3 --machine`;
  return [
    '@echo off',
    'rem Written by "holdpoint setup --machine". Hosts of agents call it before each tool call.',
    'setlocal',
    ...clearedOnWindows.map((name) => `set "${name}="`),
    `set "${notInCurrentFolder.join('=')}"`,
    `set "PATH=${system32};C:\\Windows"`,
    ...(electron ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
    program,
    `if "%~3"=="${contextOption}" exit /b 0`,
    'if "%ERRORLEVEL%"=="0" exit /b 0',
    `if not "%ERRORLEVEL%"=="2" echo ${broken}>&2`,
    'exit /b 2',
    lastLineOnWindows,
    '',
  ].join('\r\n');
}
