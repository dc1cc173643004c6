/** Runs `holdpoint setup --machine`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import { managedFolder } from '../../app/workspace/thisMachine.ts';
import { applySetup, type FileChange } from '../../hosts/setup/plan.ts';
import { onGround } from '../../hosts/setup/canary.ts';
import { realOf } from '../../hosts/setup/git.ts';
import {
  isMachineHost,
  machineHosts,
  onDisk,
  placesOf,
  thisMachineOf,
  type Machine,
  type MachineHost,
} from '../../hosts/setup/machine.ts';
import { machineVersion, tryMachine, changeableBy, closeFolders } from '../../hosts/setup/machineCheck.ts';
import { machineMemory, planMachine, type MachinePrograms } from '../../hosts/setup/machinePlan.ts';
import { setupTitle } from '../../hosts/setup/place.ts';
import { formatKeyring, keyringFile } from '../../trust/keyring.ts';
import { readKeys } from '../keys/keys.ts';
import type { Io } from '../kit/io.ts';
import type { Printed } from '../kit/verb.ts';
import { canaryHold, changeText, launcherTarget } from './programs.ts';
import { findingWords } from '../../hosts/setup/findings.ts';

interface Options {
  readonly host: readonly string[];
  readonly remove: boolean;
  readonly dry_run: boolean;
  readonly check: boolean;
  /** A file of public keys. */
  readonly keys?: string | undefined;
}

/** @param machine the one that this runs on, except in tests */
export async function setupMachine(
  io: Io,
  version: string,
  options: Options,
  machine: Machine = thisMachineOf(io.platform),
): Promise<Printed> {
  const hosts = hostsOf(options.host);
  if (options.check) return check(io, { machine, version }, options.host.length > 0 ? hosts : null);
  const { remove, dry_run: dryRun } = options;
  const keys = options.keys === undefined ? undefined : formatKeyring(readKeys(io.cwd, options.keys, '--keys'));
  const programs = { ...programsOf(io, machine), version };
  const changes = planMachine(machine, programs, keysFileOf(machine), {
    add: remove ? [] : hosts,
    remove: remove ? hosts : [],
    keys,
  });
  if (!dryRun) write(io, machine, changes, remove);
  return reportOf({ hosts, changes, programs, remove, dryRun }, machine);
}

function hostsOf(given: readonly string[]): readonly MachineHost[] {
  if (given.length === 0) return machineHosts;
  return given.map((name) => {
    if (!isMachineHost(name))
      throw new AppError('bad_input', `--host ${name}: with --machine, it must be one of ${machineHosts.join(', ')}`);
    return name;
  });
}

function keysFileOf({ platform }: Machine): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return join(managedFolder(platform), keyringFile);
}

/** @throws AppError `denied` when others could replace the Node that runs this */
function programsOf(io: Io, machine: Machine): Omit<MachinePrograms, 'version'> {
  const { command, env, programs } = launcherTarget(io);
  const node = realOf(command);
  const unsafe = changeableBy({ ...machine, root: '' }, node);
  if (unsafe !== null)
    throw new AppError(
      'denied',
      `${node} runs this, and others than the administrator can change ${unsafe}. Run it with a Node that only root can change, for example: sudo /usr/bin/node ${path.join(programs, 'cli.mjs')} setup --machine`,
    );
  return { bundles: programs, node, electron: env['ELECTRON_RUN_AS_NODE'] === '1' };
}

function write(io: Io, machine: Machine, changes: readonly FileChange[], remove: boolean): void {
  if (io.platform !== 'win32' && process.getuid?.() !== machine.owner)
    throw new AppError(
      'denied',
      'only the administrator can write these files: run it with sudo. Nothing was written.',
    );
  // Every user reads these files, whatever the administrator's own default is.
  const before = process.umask(0o022);
  try {
    if (!remove) fs.mkdirSync(onDisk(machine, placesOf(machine).programs), { recursive: true });
    if (machine.platform === 'win32' && !remove) {
      const files = changes.filter(({ after }) => after !== null).map(({ real }) => real);
      for (const file of files) fs.mkdirSync(path.dirname(file), { recursive: true });
      closeFolders(files);
    }
    applySetup(machineMemory(machine), changes);
  } finally {
    process.umask(before);
  }
  if (remove) removeEmpty(onDisk(machine, placesOf(machine).programs));
}

/** The folder of the former files, and the programs' own. */
function removeEmpty(folder: string): void {
  for (const place of [path.join(folder, 'setup'), folder])
    try {
      fs.rmdirSync(place);
    } catch {
      return; // not empty, or gone
    }
}

async function check(
  io: Io,
  { machine, version: ours }: { readonly machine: Machine; readonly version: string },
  wanted: readonly MachineHost[] | null,
): Promise<Printed> {
  const checks = await onGround(io, canaryHold(io), async (ground) => {
    const found = [];
    for (const host of wanted ?? machineHosts) found.push(await tryMachine(machine, host, ground));
    return found;
  });
  const bad = checks.some(({ verdict }) => verdict === 'broken' || (wanted !== null && verdict === 'none'));
  const version = machineVersion(machine);
  const said = { none: 'no rules of an administrator', enforced: "enforced, an administrator's", broken: 'broken' };
  const isAdministrator = process.getuid?.() === machine.owner;
  const lines = [
    ...checks.map(({ host, verdict, findings }) =>
      [`${setupTitle(host)}: ${said[verdict]}`, ...findings.map((one) => `  ${findingWords(one)}`)].join('\n'),
    ),
    ...(version === null ? [] : [versionText(version, ours)]),
    isAdministrator
      ? 'An administrator can change all files, so this check proves little. Run it again as the user whose agents the rules are for.'
      : `${os.userInfo().username} could change none of these files, unless listed above.`,
  ];
  return {
    text: lines.join('\n'),
    schema: 'setup_machine',
    data: { hosts: checks, version, as_administrator: isAdministrator },
    code: bad ? 1 : 0,
  };
}

function versionText(found: string, ours: string): string {
  return found === ours
    ? `Programs: ${found}.`
    : `Programs: ${found}; this is ${ours}. An administrator updates them with: holdpoint setup --machine`;
}

interface Done {
  readonly hosts: readonly MachineHost[];
  readonly changes: readonly FileChange[];
  readonly programs: MachinePrograms;
  readonly remove: boolean;
  readonly dryRun: boolean;
}

function reportOf({ hosts, changes, programs, remove, dryRun }: Done, machine: Machine): Printed {
  const done = changes.length === 0 ? 'nothing to change' : dryRun ? 'would write this' : 'written';
  const folder = onDisk(machine, placesOf(machine).programs);
  const isProgram = ({ file }: FileChange) => !path.relative(folder, file).startsWith('..');
  const own = changes.filter(isProgram);
  const others = changes.filter((change) => !isProgram(change));
  const what = remove ? 'removed' : `version ${programs.version}, run by ${programs.node}`;
  return {
    text: [
      `${remove ? 'Remove' : 'Set up'} ${hosts.map(setupTitle).join(', ')} for every user of this machine: ${done}.`,
      ...(own.length === 0 ? [] : [`\n${folder} (${String(own.length)} files of this program: ${what})`]),
      ...others.map(changeText),
      ...(remove || dryRun ? [] : ['Test it as the user whose agents it is for: holdpoint setup --machine --check']),
    ].join('\n'),
    schema: 'setup',
    data: {
      hosts,
      written: !dryRun,
      files: changes.map((change) => ({
        file: change.file,
        before: textOf(change.before, isProgram(change)),
        after: textOf(change.after, isProgram(change)),
      })),
    },
  };
}

/** The programs' own files are not shown: their length stands for them. */
function textOf(bytes: Buffer | null, isProgram: boolean): string | null {
  if (bytes === null) return null;
  return isProgram ? `${String(bytes.length)} bytes` : bytes.toString('utf8');
}
