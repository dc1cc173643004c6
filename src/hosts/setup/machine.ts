/**
 * Where an administrator's rules are: files that hosts read for every user of the machine, and that agents cannot write.
 * Sources: the hosts' documentation of managed settings, and their programs (Claude Code 2.1.330, Codex 0.169, Copilot
 * CLI 1.0.102), run on Linux. Cursor could not be run.
 */
import path from 'node:path';
import type { HostName } from '../names.ts';

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

/** Hosts with rules for the whole machine. */
export const machineHosts = ['claude-code', 'codex', 'copilot-cli', 'cursor'] as const satisfies readonly HostName[];
export type MachineHost = (typeof machineHosts)[number];

export function isMachineHost(name: string): name is MachineHost {
  return machineHosts.some((known) => known === name);
}

interface Places extends Readonly<Record<MachineHost, string>> {
  /** The launcher and the programs it runs. */
  readonly programs: string;
}

const linux: Places = {
  'claude-code': '/etc/claude-code/managed-settings.json',
  codex: '/etc/codex/requirements.toml',
  'copilot-cli': '/etc/github-copilot/policy.d/holdpoint.json',
  cursor: '/etc/cursor/hooks.json',
  programs: '/opt/holdpoint',
};

const macos: Places = {
  ...linux,
  'claude-code': '/Library/Application Support/ClaudeCode/managed-settings.json',
  cursor: '/Library/Application Support/Cursor/hooks.json',
  // Homebrew can make /usr/local and /opt/homebrew a user's.
  programs: '/Library/Application Support/holdpoint/programs',
};

const windows: Places = {
  'claude-code': 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
  codex: 'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml',
  'copilot-cli': 'C:\\ProgramData\\GitHub\\Copilot\\policy.d\\holdpoint.json',
  cursor: 'C:\\ProgramData\\Cursor\\hooks.json',
  programs: 'C:\\Program Files\\Holdpoint',
};

export function placesOf({ platform }: Machine): Places {
  return platform === 'win32' ? windows : platform === 'darwin' ? macos : linux;
}

/** Where a file of the machine is on the disk. */
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

/** The folder of one version's programs. */
export function versionFolder(machine: Machine, version: string): string {
  const { join } = machine.platform === 'win32' ? path.win32 : path.posix;
  return join(placesOf(machine).programs, 'versions', version);
}
