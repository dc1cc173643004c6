/** Plans an administrator's rules, or their removal, as whole files before and after. Writes nothing. */
import fs from 'node:fs';
import path from 'node:path';
import { realOf } from './git.ts';
import { readOrNull, readText } from './launcher.ts';
import {
  machineHosts,
  machineLauncherPath,
  onDisk,
  placesOf,
  versionFolder,
  posixMachineLauncher,
  windowsMachineLauncher,
  type Machine,
  type MachineHost,
} from './machine.ts';
import { changeableBy } from './machineCheck.ts';
import { machineParts } from './hostFiles.ts';
import { readMemory, changeOf, type Memory, type FileChange } from './plan.ts';
import { SetupError } from './place.ts';

export interface MachinePrograms {
  readonly version: string;
  /** The folder with this program's bundles, which are copied. */
  readonly bundles: string;
  /** Absolute path of the Node, or Electron, that runs them. */
  readonly node: string;
  readonly electron: boolean;
}

export interface MachineChange {
  readonly add: readonly MachineHost[];
  readonly remove: readonly MachineHost[];
  /** The only key ring that is trusted, as the text of its file. Undefined: leave it as it is. */
  readonly keys?: string | undefined;
}

/** What was there before is remembered next to the programs, for the root of the file system as its folder. */
export function machineMemory(machine: Machine): { readonly userFolder: string; readonly workspace: string } {
  return { userFolder: onDisk(machine, placesOf(machine).programs), workspace: path.parse(process.cwd()).root };
}

/** @throws SetupError when a file is broken or in the way, or when others than the administrator could change it */
export function planMachine(
  machine: Machine,
  programs: MachinePrograms,
  keysFile: string,
  { add, remove, keys }: MachineChange,
): FileChange[] {
  const place = machineMemory(machine);
  const memory = readMemory(place.userFolder, realOf(place.workspace));
  const rules = machineHosts
    .filter((host) => add.includes(host) || remove.includes(host))
    .flatMap((host) => changeOf(machineParts(machine, host), memory, () => add.includes(host)));
  const isLast = machineHosts.every((host) =>
    remove.includes(host) ? true : !add.includes(host) && !isSet(machine, host),
  );
  const isFirst = add.length > 0;
  const changes = [
    ...(isFirst ? programChanges(machine, programs) : isLast ? removedPrograms(machine) : []),
    ...rules,
    ...keyChanges(onDisk(machine, keysFile), memory, isLast && !isFirst ? null : keys),
  ];
  for (const { file } of changes) {
    const unsafe = changeableBy(machine, file);
    if (unsafe !== null)
      throw new SetupError(
        `${unsafe} is not the administrator's alone: others could change the rules in ${file}. Fix its owner and permissions (root, not writable by others), then set up again; nothing was written.`,
      );
  }
  return changes;
}

/** Whether a host's file has any of the rules. */
export function isSet(machine: Machine, host: MachineHost): boolean {
  const [first, ...others] = machineParts(machine, host);
  if (!first) return false;
  const text = readText(first.file)?.replace(/^\uFEFF/, '') ?? null;
  return [first, ...others].some((part) => part.kind === 'hook' && part.state(text) !== 'missing');
}

/** The programs' own files: those of this version are written, those of others removed. */
function programChanges(machine: Machine, programs: MachinePrograms): FileChange[] {
  const target = versionFolder(machine, programs.version);
  const folder = onDisk(machine, target);
  const wanted = new Map(
    fs
      .readdirSync(programs.bundles)
      .filter((name) => /\.(?:cjs|br)$/.test(name))
      .map((name) => [path.join(folder, name), fs.readFileSync(path.join(programs.bundles, name))]),
  );
  const launch = machine.platform === 'win32' ? windowsMachineLauncher : posixMachineLauncher;
  const launcher = onDisk(machine, machineLauncherPath(machine));
  const script = Buffer.from(launch({ node: programs.node, electron: programs.electron, programs: target }));
  return [
    ...[...wanted].flatMap(([file, bytes]) => changeTo(file, bytes, 0o644)),
    ...changeTo(launcher, script, 0o755),
    // After the launcher that no longer names them.
    ...programFiles(machine)
      .filter((file) => file !== launcher && !wanted.has(file))
      .flatMap((file) => changeTo(file, null, 0o644)),
  ];
}

function removedPrograms(machine: Machine): FileChange[] {
  return programFiles(machine).flatMap((file) => changeTo(file, null, 0o644));
}

/** Every file in the folders that belong to the programs alone. */
function programFiles(machine: Machine): string[] {
  const base = onDisk(machine, placesOf(machine).programs);
  return ['bin', 'versions'].flatMap((name) => {
    const folder = path.join(base, name);
    return fs.existsSync(folder)
      ? fs
          .readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => path.join(entry.parentPath, entry.name))
      : [];
  });
}

function changeTo(file: string, after: Buffer | null, mode: number): FileChange[] {
  const real = realOf(file);
  const before = readOrNull(real);
  const isSame = before === null ? after === null : after?.equals(before) === true;
  return isSame ? [] : [{ file, real, before, after, base: null, mode }];
}

/** @param keys null: as it was before setup */
function keyChanges(file: string, memory: Memory, keys: string | null | undefined): FileChange[] {
  if (keys === undefined) return [];
  const known = memory.files[realOf(file)];
  if (keys === null && known === undefined) return [];
  const base =
    known === undefined ? readOrNull(realOf(file)) : known.before === null ? null : Buffer.from(known.before, 'base64');
  return changeTo(file, keys === null ? base : Buffer.from(keys), 0o644).map((change) => ({ ...change, base }));
}
