/**
 * Checks an administrator's rules as the user who runs this: whether files and programs are as setup writes them, whether
 * this user could change them, and whether the hook stops a canary with an environment that an agent chose.
 */
import fs from 'node:fs';
import path from 'node:path';
import { canaryCalls, tryAfterHook, tryHook } from './canary.ts';
import type { Ground } from './canary.ts';
import { hosts } from '../hosts.ts';
import { machineLauncherPath, onDisk, placesOf, posixMachineLauncher, windowsMachineLauncher } from './machine.ts';
import type { Machine, MachineHost, MachineStart } from './machine.ts';
import { readOrNull, posixQuoted } from './launcher.ts';
import { changeableBy, triedToChange } from './machineOwner.ts';
import { machineCommand, machineParts } from './hostFiles.ts';
import { isStrictJson } from './fileData.ts';
import { SetupError } from './place.ts';
import { readPart } from './plan.ts';

/** `none`: the administrator has no rules for this host. */
export type MachineVerdict = 'none' | 'enforced' | 'broken';

export interface MachineFinding {
  readonly code:
    | 'machineEdited'
    | 'machineUnreadable'
    | 'machineLauncher'
    | 'machineChangeable'
    | 'machineNotDenied'
    | 'machineNotWatched';
  readonly about: string;
}

export interface MachineCheck {
  readonly host: MachineHost;
  readonly verdict: MachineVerdict;
  readonly findings: readonly MachineFinding[];
}

/** The version of the programs that the administrator's launcher starts; null without a launcher as setup writes it. */
export function machineVersion(machine: Machine): string | null {
  const target = writtenTarget(machine);
  return target && path.basename(target.programs.replaceAll('\\', '/'));
}

/** From the files alone: quick, and as the user who runs this. */
export function lookAtMachine(machine: Machine, host: MachineHost): MachineCheck {
  const findings: MachineFinding[] = [];
  let isAny = false;
  for (const part of machineParts(machine, host)) {
    try {
      const { text } = readPart(part);
      const state = part.state(text);
      if (part.kind === 'hook' && state !== 'missing') isAny = true;
      const isDropped = part.strictJson === true && text !== null && !isStrictJson(text);
      if (state !== 'ours' || isDropped) findings.push({ code: 'machineEdited', about: part.file });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      findings.push({ code: 'machineUnreadable', about: error.message });
    }
  }
  if (!isAny) return { host, verdict: 'none', findings: [] };
  const target = writtenTarget(machine);
  const launcher = onDisk(machine, machineLauncherPath(machine));
  if (!target || !fs.existsSync(target.node)) findings.push({ code: 'machineLauncher', about: launcher });
  for (const file of filesOf(machine, host, target)) {
    const changeable = changeableBy(machine, file) ?? (isAdministrator(machine) ? null : triedToChange(machine, file));
    if (changeable !== null) findings.push({ code: 'machineChangeable', about: changeable });
  }
  const unique = [...new Map(findings.map((finding) => [`${finding.code} ${finding.about}`, finding])).values()];
  return { host, verdict: unique.length === 0 ? 'enforced' : 'broken', findings: unique };
}

/** The same, and the hook itself on a canary. */
export async function tryMachine(machine: Machine, host: MachineHost, ground: Ground): Promise<MachineCheck> {
  const looked = lookAtMachine(machine, host);
  if (looked.verdict !== 'enforced') return looked;
  const { deny, setup } = hosts[host];
  const calls = canaryCalls(setup, ground.folder);
  const commandOf = (denying: boolean) =>
    ({ kind: 'command', shell: shellOf(machine), line: lineOf(machine, host, denying) }) as const;
  for (const env of environments(ground)) {
    const there = { ...ground, env };
    const trouble = await tryHook(there, { hook: commandOf(true), calls, denial: deny });
    if (trouble) return broken('machineNotDenied', `${trouble.code}: ${trouble.detail}`);
    const unwatched = calls.after && (await tryAfterHook(there, commandOf(false), calls.after));
    if (unwatched) return broken('machineNotWatched', unwatched.detail);
  }
  return looked;

  function broken(code: MachineFinding['code'], about: string): MachineCheck {
    return { host, verdict: 'broken', findings: [{ code, about }] };
  }
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
    ? /^"([^"]+)" "([^"]+)\\hook\.mjs"/m.exec(text)
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
