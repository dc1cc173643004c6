/**
 * Checks an administrator's rules as the user who runs this: whether files and programs are as setup writes them, whether
 * this user could change them, and whether the hook stops a canary with an environment that an agent chose.
 */
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { canaryCalls, tryHooks, type Ground } from './canary.ts';
import { hosts } from '../hosts.ts';
import {
  machineLauncherPath,
  onDisk,
  placesOf,
  posixMachineLauncher,
  windowsMachineLauncher,
  type Machine,
  type MachineHost,
  type MachineStart,
} from './machine.ts';
import { readOrNull, posixQuoted, system32 } from './launcher.ts';
import { machineCommand, machineParts } from './hostFiles.ts';
import { settingsIn } from './parts.ts';
import { uniqueFindings, type Finding } from './findings.ts';
import { stateOnDisk } from './plan.ts';
import { realOf } from './git.ts';

/** `none`: the administrator has no rules for this host. */
export type MachineVerdict = 'none' | 'enforced' | 'broken';

export interface MachineCheck {
  readonly host: MachineHost;
  readonly verdict: MachineVerdict;
  readonly findings: readonly Finding[];
}

/** The version of the programs that the administrator's launcher starts; null without a launcher as setup writes it. */
export function machineVersion(machine: Machine): string | null {
  const target = writtenTarget(machine);
  return target && path.basename(target.programs.replaceAll('\\', '/'));
}

/** From the files alone: quick, and as the user who runs this. */
export function lookAtMachine(machine: Machine, host: MachineHost): MachineCheck {
  const findings: Finding[] = [];
  let isAny = false;
  for (const part of machineParts(machine, host)) {
    const state = stateOnDisk(part);
    if (typeof state === 'object') findings.push({ code: 'machineUnreadable', about: state.unreadable });
    else {
      isAny ||= part.kind === 'hook' && state !== 'missing';
      if (state !== 'ours') findings.push({ code: 'machineEdited', about: part.file });
    }
  }
  if (!isAny) return { host, verdict: 'none', findings: [] };
  const disabled = disabledByRules(machine, host);
  if (disabled !== null) findings.push({ code: 'disabled', about: disabled });
  const target = writtenTarget(machine);
  const launcher = onDisk(machine, machineLauncherPath(machine));
  if (!target || !fs.existsSync(target.node)) findings.push({ code: 'machineLauncher', about: launcher });
  for (const file of filesOf(machine, host, target)) {
    const changeable = changeableBy(machine, file) ?? (isAdministrator(machine) ? null : triedToChange(machine, file));
    if (changeable !== null) findings.push({ code: 'machineChangeable', about: changeable });
  }
  return { host, verdict: findings.length === 0 ? 'enforced' : 'broken', findings: uniqueFindings(findings) };
}

/** The administrator's own settings that turn all hooks off; others cannot turn an administrator's hooks off. */
function disabledByRules(machine: Machine, host: MachineHost): string | null {
  const machineFile = onDisk(machine, placesOf(machine)[host]);
  const read = {
    ...{ workspace: '', home: '', env: {}, platform: machine.platform, machineFile, folders: [] },
    settings: (file: string) => (path.dirname(file) === path.dirname(machineFile) ? settingsIn(file) : {}),
    ...{ isBelow: () => false, isReallyBelow: () => false },
  };
  return hosts[host].setup.disabledIn?.(read) ?? null;
}

/** Checks the machine, and the hook itself on a canary. */
export async function tryMachine(machine: Machine, host: MachineHost, ground: Ground): Promise<MachineCheck> {
  const looked = lookAtMachine(machine, host);
  if (looked.verdict !== 'enforced') return looked;
  const { deny, setup } = hosts[host];
  const calls = canaryCalls(setup, ground.folder);
  const commandOf = (denying: boolean) =>
    ({ kind: 'command', shell: shellOf(machine), line: lineOf(machine, host, denying) }) as const;
  for (const env of environments(ground)) {
    const { code, output } = await tryHooks({ ...ground, env }, { commandOf, calls, denial: deny });
    const finding: Finding =
      code === 'notWatched'
        ? { code: 'machineNotWatched', about: output }
        : { code: 'machineNotDenied', about: `${code}: ${output}` };
    if (code !== 'denied') return { host, verdict: 'broken', findings: [finding] };
  }
  return looked;
}

/** An agent's own environment: another home and user-level folder, and programs of its own first on the search path. */
function environments({ env, home }: Ground): Ground['env'][] {
  const bin = path.join(home, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  for (const name of ['node', 'git', 'tail'])
    fs.writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const preload = path.join(home, 'preload.js');
  fs.writeFileSync(preload, 'process.exit(0);\n');
  return [
    env,
    {
      ...env,
      PATH: [bin, env['PATH'] ?? ''].join(path.delimiter),
      NODE_OPTIONS: `--require ${preload}`,
      HOLDPOINT_STATE_FOLDER: path.join(home, 'state'),
    },
  ];
}

/** Files that decide what runs: the host's, the launcher, the programs and the Node that runs them. */
function filesOf(machine: Machine, host: MachineHost, target: MachineStart | null): string[] {
  const bundles = target ? onDisk(machine, target.programs) : null;
  return [
    onDisk(machine, placesOf(machine)[host]),
    onDisk(machine, machineLauncherPath(machine)),
    ...(target ? [target.node] : []),
    ...(bundles !== null && fs.existsSync(bundles)
      ? fs.readdirSync(bundles).map((name) => path.join(bundles, name))
      : []),
  ];
}

/** What the launcher starts; null unless it is exactly what setup writes for it. */
function writtenTarget(machine: Machine): MachineStart | null {
  const file = onDisk(machine, machineLauncherPath(machine));
  const text = readOrNull(file)?.toString('utf8') ?? '';
  const isWindows = machine.platform === 'win32';
  const found = isWindows
    ? /^"([^"]+)" "([^"]+)\\hook\.cjs"/m.exec(text)
    : /^node='(\/[^']+)'\nprograms='(\/[^']+)'$/m.exec(text);
  const [, node, programs] = found ?? [];
  if (node === undefined || programs === undefined) return null;
  const launch = isWindows ? windowsMachineLauncher : posixMachineLauncher;
  const written = [false, true].map((electron) => ({ node, electron, programs }));
  return written.find((target) => launch(target) === text) ?? null;
}

/** The system lets an administrator change any file, so trying says nothing. */
function isAdministrator({ owner }: Machine): boolean {
  return process.getuid?.() === owner;
}

function shellOf({ platform }: Machine): 'posix' | 'cmd' {
  return platform === 'win32' ? 'cmd' : 'posix';
}

function lineOf(machine: Machine, host: MachineHost, denying: boolean): string {
  const { command, args } = machineCommand(machine, host, { denying });
  if (machine.platform === 'win32') return [command, ...args].map((word) => `"${word}"`).join(' ');
  return [onDisk(machine, command), ...args].map(posixQuoted).join(' ');
}

/**
 * The first place from the root to the file that others than the administrator can change; null if there is none. A
 * missing file is as safe as its folder.
 */
export function changeableBy(machine: Machine, file: string): string | null {
  if (machine.platform === 'win32') return null;
  const top = machine.root === '' ? path.parse(file).root : realOf(machine.root);
  return (
    [...placesFrom(top, file)].find((place) => {
      const stat = fs.lstatSync(place, { throwIfNoEntry: false });
      return (
        stat !== undefined && (stat.uid !== machine.owner || (!stat.isSymbolicLink() && (stat.mode & 0o022) !== 0))
      );
    }) ?? null
  );
}

/** Each folder and link that leads to the file, without the root: a link may lead to another one. */
function placesFrom(top: string, file: string, places = new Set<string>()): Set<string> {
  for (const place of upTo(top, file)) {
    if (places.has(place)) continue;
    places.add(place);
    const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink) placesFrom(top, path.resolve(realOf(path.dirname(place)), fs.readlinkSync(place)), places);
  }
  return new Set([...places, ...upTo(top, realOf(file))]);
}

function upTo(top: string, file: string): string[] {
  const way = path.relative(top, file);
  if (way === '' || way.startsWith('..')) return [];
  return [...upTo(top, path.dirname(file)), file];
}

/**
 * Tries as this user to change a file, or to replace it in its folder. Null if the system refuses both. The file is
 * opened for writing, and nothing is written. Windows does not say whether a folder can be written, so an empty file is
 * added to it and removed again.
 */
export function triedToChange({ platform }: Pick<Machine, 'platform'>, file: string): string | null {
  const isWindows = platform === 'win32';
  const folders = isWindows ? foldersOf([file]).reverse() : upTo(path.parse(file).root, path.dirname(file));
  for (const place of [file, ...folders]) {
    try {
      if (place === file) fs.closeSync(fs.openSync(file, 'r+'));
      else if (isWindows) addAndRemove(path.join(place, `holdpoint-${randomUUID()}.tmp`));
      else fs.accessSync(place, fs.constants.W_OK);
      return place;
    } catch {
      // Refused, as it should be.
    }
  }
  return null;
}

function addAndRemove(file: string): void {
  fs.closeSync(fs.openSync(file, 'wx'));
  fs.rmSync(file);
}

/** In C:\ProgramData every user may add files to a folder; this leaves administrators and the system. */
export function closedFolder(folder: string): readonly string[] {
  const full = '(OI)(CI)F';
  const read = '(OI)(CI)RX';
  return [
    folder,
    '/inheritance:r',
    ...['/grant:r', `*S-1-5-32-544:${full}`],
    ...['/grant:r', `*S-1-5-18:${full}`],
    ...['/grant:r', `*S-1-5-32-545:${read}`],
  ];
}

/** What runs to close a folder: its owner could open it again, so administrators become its owner first. */
export function closingPrograms(folder: string): readonly (readonly [program: string, ...args: readonly string[]])[] {
  return [
    [`${system32}\\takeown.exe`, '/F', folder, '/A'],
    [`${system32}\\icacls.exe`, ...closedFolder(folder)],
  ];
}

/** Below these, Windows lets every user or only administrators add folders; they themselves stay as they are. */
const tops = ['C:\\ProgramData', 'C:\\Program Files'];

/** The folders of these files on Windows and those above: a user who can rename one of them can put another in its place. */
export function foldersOf(files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const above: string[] = [];
    let folder = path.win32.dirname(file);
    while (!isTop(folder)) {
      above.unshift(folder);
      folder = path.win32.dirname(folder);
    }
    for (const one of above) found.add(one);
  }
  return [...found];
}

function isTop(folder: string): boolean {
  const same = (top: string) => top.toLowerCase() === folder.toLowerCase();
  return path.win32.dirname(folder) === folder || tops.some(same);
}

type Run = (program: string, args: readonly string[]) => { readonly status: number | null; readonly stderr: string };

const run: Run = (program, args) => spawnSync(program, [...args], { encoding: 'utf8', windowsHide: true });

/**
 * Makes the folders of these files the administrators', before anything is written there.
 * @throws Error naming the first folder whose owner or permissions cannot be set
 */
export function closeFolders(files: readonly string[], running: Run = run): void {
  for (const folder of foldersOf(files))
    for (const [program, ...args] of closingPrograms(folder)) {
      const { status, stderr } = running(program, args);
      if (status !== 0)
        throw new Error(`${folder} cannot be made the administrators’: ${stderr.trim()}. Nothing was written.`);
    }
}
