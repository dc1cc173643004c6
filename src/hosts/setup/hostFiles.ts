/** The parts of files that a host's own description asks for: in a folder, and in an administrator's files. */
import fs from 'node:fs';
import path from 'node:path';
import { opencodePlugin } from './opencodePlugin.ts';
import type { HostFile, HostName, MachineTarget, Program, SetupTarget } from '../host.ts';
import { hosts } from '../hosts.ts';
import { isFields } from '../payload/toolKinds.ts';
import { dataOf, blockPart, entryPart, hooksPart, wholePart, type Block, type Frame, type Part } from './parts.ts';
import { excludePart, gitParts, realOf, gitPlaces } from './git.ts';
import { system32 } from './launcher.ts';
import { contextOption, machineLauncherPath, onDisk, placesOf, type Machine, type MachineHost } from './machine.ts';
import { hookCommand, mcpCommand, SetupError, type Place, type SetupName, onPath, setupNames } from './place.ts';

/** @throws SetupError when the host cannot be set up here at all */
export function partsOf(place: Place, name: SetupName): Part[] {
  if (name === 'git') return gitParts(place);
  const { agentType, setup } = hosts[name];
  const target: SetupTarget = {
    platform: place.platform,
    hook: ({ host = name, ...kind }) => hookCommand(place, host, kind),
    mcp: mcpCommand(place, agentType),
    plugin: () => opencodePlugin(place),
  };
  const root = realOf(place.workspace);
  const parts = setup
    .files(target)
    .map((file) => partOf({ ...frameOf(name, file), root, file: fileOf(place.workspace, file) }, file));
  const files = [...new Set(parts.map(({ file }) => file))];
  return [...parts, ...files.flatMap((file) => excludePart(place, name, file))];
}

function frameOf(host: HostName, { kind, strictJson }: HostFile): Pick<Frame, 'host' | 'kind' | 'strictJson'> {
  return { host, kind: kind ?? 'hook', ...(strictJson === true ? { strictJson } : {}) };
}

/** Of two files, the one that contains our entry, else an existing one. */
function fileOf(workspace: string, { file = [], orFile }: HostFile): string {
  const names = [file, orFile ?? []].filter(({ length }) => length > 0).map((parts) => path.join(workspace, ...parts));
  const there = orFile === undefined ? [] : names.filter((name) => fs.existsSync(name));
  return there.find((name) => fs.readFileSync(name, 'utf8').includes('"holdpoint"')) ?? there.at(-1) ?? names[0] ?? '';
}

function partOf(frame: Frame, file: HostFile): Part {
  if ('whole' in file) return wholePart(frame, file.whole);
  if ('hooks' in file) return hooksPart(frame, file.hooks, file.made);
  if ('at' in file) return entryPart(frame, file.at, file.value, file.made);
  const { lines, table } = file;
  // Before the first table, so that they end none of the file's own.
  return blockPart(frame, table ? tableAtEnd(frame, table, lines) : { lines, place: () => 0 });
}

function tableAtEnd({ file }: Frame, [outer, name]: readonly [string, string], lines: readonly string[]): Block {
  return {
    lines: [`[${outer}.${name}]`, ...lines],
    place(text) {
      const found = dataOf(text, file)?.[outer];
      if (found !== undefined && !isFields(found))
        throw new SetupError(`${file}: "${outer}" should be a table. Fix it, then set up again; nothing was written.`);
      if (found && Object.hasOwn(found, name))
        throw new SetupError(
          `${file} already has another MCP server "${name}". Remove it, then set up again; nothing was written.`,
        );
      return text.length;
    },
  };
}

/**
 * What an administrator's rules add to a host's file for the whole machine.
 * @throws SetupError when the file on the disk cannot be read
 */
export function machineParts(machine: Machine, host: MachineHost): Part[] {
  const file = onDisk(machine, placesOf(machine)[host]);
  const root = realOf(path.dirname(file));
  const target: MachineTarget = {
    platform: machine.platform,
    program: (denying) => machineCommand(machine, host, { denying }),
    line: (denying) => {
      const { command, args } = machineCommand(machine, host, { denying });
      return [command, ...args].map((word) => (/^[\w/:.\\-]+$/.test(word) ? word : `"${word}"`)).join(' ');
    },
  };
  const files = hosts[host].setup.machine?.files(target) ?? [];
  const parts = files.map((one) => partOf({ ...frameOf(host, one), file, root }, one));
  const hooks = parts.find(({ kind }) => kind === 'hook');
  return parts.map((part) => (part.kind === 'hook' || !hooks ? part : besideHooks(part, hooks)));
}

/** A setting is ours only in a file with our hooks: otherwise the administrator chose it, and keeps it. */
function besideHooks(part: Part, hooks: Part): Part {
  const isOurs = (text: string | null) => hooks.state(text) !== 'missing';
  return {
    ...part,
    state: (text) => (isOurs(text) ? part.state(text) : 'missing'),
    strip: (text) => (isOurs(text) ? part.strip(text) : text),
  };
}

/** A program and its arguments, without a shell: no file that a shell reads first can answer instead. */
export function machineCommand(
  machine: Machine,
  host: MachineHost,
  { denying }: { readonly denying: boolean },
): Program {
  const launcher = machineLauncherPath(machine);
  const args = ['hook', host, ...(denying ? [] : [contextOption])];
  return machine.platform === 'win32'
    ? { command: `${system32}\\cmd.exe`, args: ['/d', '/c', launcher, ...args] }
    : { command: launcher, args };
}

// Detects hosts in use: by their folders in the workspace or home, and their programs on the PATH.

/** The first evidence of each host: a path. Hosts without one appear unused. */
export function foundHosts(place: Place): ReadonlyMap<SetupName, string> {
  const found = new Map<SetupName, string>();
  for (const name of setupNames) {
    const sign = name === 'git' ? gitPlaces(place)?.hooks : signOf(place, name);
    if (sign !== undefined) found.set(name, sign);
  }
  return found;
}

function signOf(place: Place, name: HostName): string | undefined {
  const { workspace: here, home: there, program } = hosts[name].setup.signs;
  return [
    ...here.map((file) => path.join(place.workspace, file)),
    ...there.map((file) => path.join(place.home, file)),
    ...onPath(place, program, ['.exe', '.cmd', '.ps1']),
  ].find((file) => fs.existsSync(file));
}
