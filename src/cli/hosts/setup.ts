/** `holdpoint setup`: adds hooks and MCP servers to the hosts' own files. Prints what it writes; `--remove` undoes it. */
import os from 'node:os';
import process from 'node:process';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { openHolders } from '../../core/hold/holds.ts';
import { applySetup, planSetup, type FileChange } from '../../hosts/setup/plan.ts';
import { foundHosts } from '../../hosts/setup/hostFiles.ts';
import { askGitNow, realOf } from '../../hosts/setup/git.ts';
import { launcherPath, writeLauncher, launcherWorks, type LauncherTarget } from '../../hosts/setup/launcher.ts';
import {
  isSetupName,
  setupNames,
  setupTitle,
  type SetupName,
  type Place,
  posixCommand,
} from '../../hosts/setup/place.ts';
import {
  thisMachineOf,
  isMachineHost,
  machineHosts,
  onDisk,
  placesOf,
  type Machine,
  type MachineHost,
} from '../../hosts/setup/machine.ts';
import { checkRules, uncoveredWorktrees, type Uncovered } from '../../hosts/setup/check.ts';
import { findingWords, type HostCheck } from '../../hosts/setup/findings.ts';
import { hostNames } from '../../core/kit/limits.ts';
import type { Io } from '../kit/io.ts';
import { verb, type Printed, openFolder } from '../kit/verb.ts';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { UnreadableCall } from '../../hosts/call.ts';
import { formCanary, genericForm, withForm } from '../../hosts/payload/form.ts';
import { canaryCalls, onGround, tryHook, type Hold } from '../../hosts/setup/canary.ts';
import type { HostForm } from '../../hosts/host.ts';
import { holdCanary } from '../../app/hosts/canary.ts';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import { plural } from '../../core/kit/text.ts';
import { managedFolder } from '../../app/workspace/thisMachine.ts';
import { machineVersion, tryMachine, changeableBy, closeFolders } from '../../hosts/setup/machineCheck.ts';
import { machineMemory, planMachine, type MachinePrograms } from '../../hosts/setup/machinePlan.ts';
import { formatKeyring, keyringFile } from '../../trust/keyring.ts';
import { readKeys } from '../keys/keys.ts';

// `holdpoint setup --command FORM.json`: the hook command for a host that setup does not know, tried with a canary hold.

/** @throws AppError for a description that is not valid */
async function genericCommand(io: Io, place: Place, file: string): Promise<Printed> {
  if (io.platform === 'win32')
    throw new AppError('bad_input', '--command: Windows is not supported for hosts that setup does not know');
  const form = read(io, file);
  ensureLauncher(io, place);
  const line = (workspace: string) =>
    posixCommand({
      host: 'generic',
      launcher: place.launcher,
      workspace,
      denying: true,
      form: JSON.stringify(form),
      ...(form.deny ? { denial: form.deny } : {}),
    });
  const { code, output } = await onGround(place, canaryHold(io), (ground) =>
    tryHook(ground, {
      hook: { kind: 'command', shell: 'posix', line: line(ground.folder) },
      calls: canaryCalls(withForm(form, 'Another host'), ground.folder),
      denial: form.deny,
    }),
  );
  const command = line(place.workspace);
  const works = code === 'denied';
  return {
    text: works
      ? `Tested just now: an edit to a held file was blocked, reading was not. Register this command before every tool:\n${command}`
      : `Not usable: the canary failed (${code}: ${output}).`,
    schema: 'setup',
    data: { command, works },
    code: works ? 0 : 1,
  };
}

function read(io: Io, file: string): HostForm {
  try {
    const form = genericForm(fs.readFileSync(path.resolve(io.cwd, file), 'utf8'));
    formCanary(form, 'held.txt');
    return form;
  } catch (error) {
    const why = error instanceof UnreadableCall ? error.message : 'it cannot be read';
    throw new AppError('bad_input', `--command ${file}: ${why}`);
  }
}

const input = z.strictObject({
  host: z
    .array(z.string())
    .default([])
    .describe(`${hostNames.join(', ')} or git`),
  remove: z
    .boolean()
    .default(false)
    .describe('remove what setup wrote; files that were not edited since are restored byte for byte'),
  machine: z
    .boolean()
    .default(false)
    .describe('as an administrator: rules for every user of this machine, which agents cannot edit'),
  keys: z
    .string()
    .optional()
    .describe('with --machine: the only public keys to trust here, as "holdpoint keys" prints them'),
  dry_run: z.boolean().default(false).describe('show what would be written without writing it'),
  check: z
    .boolean()
    .default(false)
    .describe('test each hook with a canary hold. Exit 1: one of them does not deny the edit'),
  command: z
    .string()
    .optional()
    .describe('print the hook command for any other host, from a description of its calls in JSON, and test it'),
});
type SetupOptions = z.output<typeof input>;

export const setupVerb = verb({
  words: 'setup',
  help: ['People and setup', 'make agent hosts ask Holdpoint before each tool call'],
  about: 'make agent hosts ask Holdpoint before each tool call; default: the hosts in use here',
  input,
  hints: {
    host: '--host <name>',
    command: { flags: '--command <file>', apart: ['host', 'remove', 'machine', 'keys', 'dry-run', 'check'] },
    check: { apart: ['remove', 'keys', 'dry-run'] },
    remove: { apart: ['keys'] },
    keys: '--keys <file>',
  },
  run({ io, workspace, version }, options) {
    if (options.keys !== undefined && !options.machine) throw new AppError('bad_input', '--keys: only with --machine');
    return options.machine ? setupMachine(io, version, options) : setup(io, workspace, options);
  },
});

async function setup(io: Io, workspace: Workspace, options: SetupOptions): Promise<Printed> {
  const { remove, dry_run: dryRun, check } = options;
  const given = options.host.map((name) => {
    if (!isSetupName(name)) throw new AppError('bad_input', `--host ${name}: must be one of ${setupNames.join(', ')}`);
    return name;
  });
  const here = placeOf(io, workspace);
  if (options.command !== undefined) return genericCommand(io, here, options.command);
  const place = { ...here, git: askGitNow(here) };
  if (check) {
    const names = given.length > 0 ? given : setupNames;
    const checks = await checkRules(place, names, canaryHold(io), {
      target: launcherTarget(io),
      machine: thisMachineOf(io.platform),
    });
    const bad = checks.some(({ host, verdict }) => verdict === 'broken' || (verdict === 'off' && given.includes(host)));
    const uncovered = uncoveredWorktrees(place, checks);
    return {
      text: checkText(checks, uncovered),
      schema: 'setup',
      data: { hosts: checks, uncovered },
      code: bad ? 1 : 0,
    };
  }
  const names = given.length > 0 ? given : remove ? setupNames : [...foundHosts(place).keys()];
  if (names.length === 0)
    throw new AppError(
      'not_found',
      `found no folder or program of an agent. Name one: --host ${setupNames.join(', ')}`,
    );
  const changes = planSetup(place, remove ? { remove: names } : { add: names });
  if (!dryRun && changes.length > 0) {
    if (remove) refuseWhileHeld(workspace);
    else ensureLauncher(io, place);
  }
  // Without changes too: folders that setup created are left where its files were deleted by hand.
  if (!dryRun && (remove || changes.length > 0)) applySetup(place, changes);
  return reportOf(names, changes, { remove, dryRun });
}

/** Without hooks an agent can bypass its holds: while there are any, only a human can remove hooks, in the editor. */
function refuseWhileHeld(workspace: Workspace): void {
  const { state, problem } = workspace.standing();
  const held = state ? openHolders(state).map(({ id }) => id) : [];
  if (!problem && held.length === 0) return;
  const why = problem ? 'the state of this workspace is UNKNOWN' : `${held.slice(0, 5).join(', ')} waits for a human`;
  throw new AppError(
    'denied',
    `${why}, so hooks cannot be removed from here. A human can do that in the editor: "Holdpoint: Set Up Agents…".`,
  );
}

function placeOf(io: Io, workspace: Workspace): Place {
  return {
    workspace: workspace.options.folder,
    home: io.home,
    userFolder: workspace.userFolder,
    launcher: launcherPath(workspace.userFolder),
    platform: io.platform,
    env: io.env,
  };
}

function reportOf(
  names: readonly SetupName[],
  changes: readonly FileChange[],
  { remove, dryRun }: { remove: boolean; dryRun: boolean },
): Printed {
  const next = remove || dryRun || changes.length === 0 ? [] : ['Test it: holdpoint setup --check'];
  return {
    text: [doneText(names, changes, { remove, dryRun }), ...changes.map(changeText), ...next].join('\n'),
    schema: 'setup',
    data: writtenFiles(names, changes, dryRun),
  };
}

function doneText(
  names: readonly SetupName[],
  changes: readonly FileChange[],
  { remove, dryRun, where = '' }: { readonly remove: boolean; readonly dryRun: boolean; readonly where?: string },
): string {
  const done = changes.length === 0 ? 'nothing to change' : dryRun ? 'would write this' : 'written';
  return `${remove ? 'Remove' : 'Set up'} ${names.map(setupTitle).join(', ')}${where}: ${done}.`;
}

/** @param isProgram files of this program, which are not shown: their length stands for them */
function writtenFiles(
  hosts: readonly SetupName[],
  changes: readonly FileChange[],
  dryRun: boolean,
  isProgram: (change: FileChange) => boolean = () => false,
) {
  const shown = (bytes: Buffer | null, change: FileChange) =>
    bytes && (isProgram(change) ? `${String(bytes.length)} bytes` : bytes.toString('utf8'));
  const files = changes.map((change) => ({
    file: change.file,
    before: shown(change.before, change),
    after: shown(change.after, change),
  }));
  return { hosts, written: !dryRun, files };
}

function checkText(checks: readonly HostCheck[], uncovered: readonly Uncovered[]): string {
  const said = checks
    .map(({ host, verdict, by, findings }) => {
      const level =
        verdict === 'off' ? 'not set up' : by === 'administrator' ? "enforced, an administrator's" : verdict;
      return [`${setupTitle(host)}: ${level}`, ...findings.map((finding) => `  ${findingWords(finding)}`)].join('\n');
    })
    .join('\n');
  const others = uncovered.map(
    ({ folder, hosts }) =>
      `Not covered: ${folder}, for ${hosts.map(setupTitle).join(', ')}. Run there: holdpoint setup`,
  );
  return [said, ...others].join('\n');
}

/** This program, on the current Node. */
export function launcherTarget({ env, programs }: Io): LauncherTarget {
  const electron = env['ELECTRON_RUN_AS_NODE'] === '1' && 'electron' in process.versions;
  return {
    command: process.execPath,
    env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    programs,
  };
}

/** A working launcher may be the extension's, which keeps it up to date. */
export function ensureLauncher(io: Io, { userFolder }: Place): void {
  if (!launcherWorks(userFolder)) writeLauncher(userFolder, launcherTarget(io), io.platform);
}

export function canaryHold(io: Io): Hold {
  return async ({ folder, home, env, secret }) => {
    const workspace = openFolder({ ...io, home, env }, folder);
    try {
      await holdCanary(workspace, 'held.txt', secret);
    } finally {
      workspace.close();
    }
  };
}

/** A file and its changed lines with some context. */
export function changeText({ file, real, before, after }: FileChange): string {
  const what = before === null ? 'new' : after === null ? 'removed' : 'changed';
  const rows = difference(before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
  return [`\n${file}${real === file ? '' : ` -> ${real}`} (${what})`, ...rows.map(rowText)].join('\n');
}

function rowText(row: DifferenceRow): string {
  if (row.type === 'gap') return `  … ${plural(row.lines, 'line')}`;
  const text = row.type === 'same' ? row.text : row.pieces.map((piece) => piece.text).join('');
  return `${{ same: '  ', added: '+ ', removed: '- ' }[row.type]}${text}`;
}

/** @param machine the one that this runs on, except in tests */
export async function setupMachine(
  io: Io,
  version: string,
  options: Pick<SetupOptions, 'host' | 'remove' | 'dry_run' | 'check' | 'keys'>,
  machine: Machine = thisMachineOf(io.platform),
): Promise<Printed> {
  const hosts = hostsOf(options.host);
  if (options.check) return checkMachine(io, { machine, version }, options.host.length > 0 ? hosts : null);
  const { remove, dry_run: dryRun } = options;
  const keys = options.keys === undefined ? undefined : formatKeyring(readKeys(io.cwd, options.keys, '--keys'));
  const programs = { ...programsOf(io, machine), version };
  const changes = planMachine(machine, programs, keysFileOf(machine), {
    add: remove ? [] : hosts,
    remove: remove ? hosts : [],
    keys,
  });
  if (!dryRun) writeMachine(io, machine, changes, remove);
  return machineReport({ hosts, changes, programs, remove, dryRun }, machine);
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
      `${node} runs this, and others than the administrator can change ${unsafe}. Run it with a Node that only root can change, for example: sudo /usr/bin/node ${path.join(programs, 'cli.cjs')} setup --machine`,
    );
  return { bundles: programs, node, electron: env['ELECTRON_RUN_AS_NODE'] === '1' };
}

function writeMachine(io: Io, machine: Machine, changes: readonly FileChange[], remove: boolean): void {
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

async function checkMachine(
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

function machineReport({ hosts, changes, programs, remove, dryRun }: Done, machine: Machine): Printed {
  const folder = onDisk(machine, placesOf(machine).programs);
  const isProgram = ({ file }: FileChange) => !path.relative(folder, file).startsWith('..');
  const own = changes.filter(isProgram);
  const others = changes.filter((change) => !isProgram(change));
  const what = remove ? 'removed' : `version ${programs.version}, run by ${programs.node}`;
  return {
    text: [
      doneText(hosts, changes, { remove, dryRun, where: ' for every user of this machine' }),
      ...(own.length === 0 ? [] : [`\n${folder} (${String(own.length)} files of this program: ${what})`]),
      ...others.map(changeText),
      ...(remove || dryRun ? [] : ['Test it as the user whose agents it is for: holdpoint setup --machine --check']),
    ].join('\n'),
    schema: 'setup',
    data: writtenFiles(hosts, changes, dryRun, isProgram),
  };
}
