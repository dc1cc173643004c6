/** Checks whether holds stop each host: from its files, and with the canary. */
import fs from 'node:fs';
import type { HostName, SettingsReader } from '../host.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import { hosts } from '../hosts.ts';
import {
  canaryCalls,
  onGround,
  tryGitHook,
  tryHook,
  tryHooks,
  type CanaryResult,
  type Ground,
  type Hold,
} from './canary.ts';
import { settingsIn, type Part } from './parts.ts';
import { uniqueFindings, type Finding, type HostCheck } from './findings.ts';
import { otherWorktrees, realOf } from './git.ts';
import { forgetCompiled, launcherTrouble, type LauncherTarget, type LauncherTrouble } from './launcher.ts';
import { isMachineHost, onDisk, placesOf, type Machine } from './machine.ts';
import { lookAtMachine, tryMachine, type MachineCheck } from './machineCheck.ts';
import { hookCommand, isWithin, shellOf, type Place, type SetupName } from './place.ts';
import { partsIfAny, stateOnDisk } from './plan.ts';

export interface CheckOptions {
  readonly target: LauncherTarget;
  /** Whose files hosts read too. */
  readonly machine: Machine;
}

/** Together with an administrator's rules, which apply to every folder. */
export async function checkRules(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  options: CheckOptions,
): Promise<HostCheck[]> {
  const checks = await checkHosts(place, names, hold, options);
  const { machine } = options;
  const set = names
    .filter((name) => isMachineHost(name))
    .filter((host) => lookAtMachine(machine, host).verdict !== 'none');
  if (set.length === 0) return checks;
  return onGround(place, hold, async (ground) => {
    const tried = new Map<SetupName, MachineCheck>();
    for (const host of set) tried.set(host, await tryMachine(machine, host, ground));
    return checks.map((check) => withRules(check, tried.get(check.host)));
  });
}

async function checkHosts(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  { target, machine }: CheckOptions,
): Promise<HostCheck[]> {
  const launcher = launcherTrouble(place.userFolder, target, place.platform);
  if (launcher?.code !== 'launcher') forgetCompiled(place.userFolder);
  const looked = names.map((host) => ({ host, ...look(place, host, launcher, machine) }));
  if (!looked.some(({ verdict }) => verdict === null))
    return looked.map((one) => ({ ...one, verdict: one.verdict ?? 'off' }));
  return onGround(place, hold, async (ground) => {
    const checks: HostCheck[] = [];
    for (const { host, verdict, findings, parts } of looked)
      checks.push({
        host,
        ...(verdict === null
          ? await tryCanary(place, { host, parts, findings, launcher, machine }, ground)
          : { verdict, findings }),
      });
    return checks;
  });
}

/** A worktree of the repository in which hosts that are set up here have no hook. */
export interface Uncovered {
  readonly folder: string;
  readonly hosts: readonly SetupName[];
}

/** Hooks of git are those of all worktrees, and an administrator's count in every folder; all others are files of one. */
export function uncoveredWorktrees(place: Place, checks: readonly HostCheck[]): Uncovered[] {
  const names = checks.flatMap(({ host, verdict, by }) =>
    verdict === 'off' || by === 'administrator' || host === 'git' ? [] : [host],
  );
  return otherWorktrees(place).flatMap((folder) => {
    const there = { ...place, workspace: folder };
    const missing = names.filter((host) => !hasHooks(there, host));
    return missing.length === 0 ? [] : [{ folder, hosts: missing }];
  });
}

function hasHooks(place: Place, host: SetupName): boolean {
  return partsIfAny(place, host).every((part) => part.kind !== 'hook' || stateOnDisk(part) === 'ours');
}

interface Trial {
  readonly host: SetupName;
  readonly parts: readonly Part[];
  readonly findings: readonly Finding[];
  readonly launcher: LauncherTrouble | null;
  readonly machine: Machine;
}

async function tryCanary(
  place: Place,
  { host, parts, findings, launcher, machine }: Trial,
  ground: Ground,
): Promise<Omit<HostCheck, 'host'>> {
  const { code, output } = await tryOut(place, host, parts, ground);
  const tried: Finding = { code, about: output };
  if (code !== 'denied') return { verdict: 'broken', findings: [tried, ...findings] };
  const around = wayAround(place, host, machine) ?? (launcher?.code === 'otherProgram' ? launcher : null);
  const shown = [...(around ? [around] : []), tried, ...findings];
  return { verdict: around ? 'advisory' : 'enforced', findings: shown };
}

/** Checks the files. A null verdict means they are correct and the hook should be tried. */
function look(
  place: Place,
  host: SetupName,
  launcher: LauncherTrouble | null,
  machine: Machine,
): { verdict: HostCheck['verdict'] | null; findings: Finding[]; parts: Part[] } {
  const parts = partsIfAny(place, host);
  const findings: Finding[] = [];
  let any = false;
  let broken = false;
  for (const part of parts.filter(({ kind }) => kind !== 'other')) {
    const { kind, file } = part;
    const state = stateOnDisk(part);
    if (state === 'ours') any = true;
    else if (typeof state === 'string') {
      any ||= state !== 'missing';
      broken ||= kind === 'hook';
      findings.push({ code: state === 'dropped' ? state : codeOf(kind, state), about: file });
    } else {
      // A host that cannot read its settings may continue without them.
      broken = true;
      findings.push({ code: 'unreadable', about: state.unreadable });
    }
  }
  if (!any) return { verdict: 'off', findings: findings.filter(({ code }) => code === 'unreadable'), parts };
  if (launcher?.code === 'launcher') {
    broken = true;
    findings.unshift(launcher);
  }
  const disabled = disabledIn(place, host, machine);
  if (disabled !== null) {
    broken = true;
    findings.unshift({ code: 'disabled', about: disabled });
  }
  return { verdict: broken ? 'broken' : null, findings: uniqueFindings(findings), parts };
}

function codeOf(kind: Part['kind'], state: 'missing' | 'edited'): Finding['code'] {
  if (kind === 'mcp') return state === 'missing' ? 'mcpMissing' : 'mcpEdited';
  return state;
}

async function tryOut(place: Place, host: SetupName, parts: readonly Part[], ground: Ground): Promise<CanaryResult> {
  const [part, agentHost] = parts.filter(({ kind }) => kind === 'hook');
  if (!part) return { code: 'notDenied', output: '' };
  if (host === 'git') return tryGitHook(ground, fs.readFileSync(part.file, 'utf8'));
  const there = { ...place, workspace: ground.folder };
  const tried = await tryAs(host);
  // VS Code's second file is for the Agent Host, in the form of the CLI.
  return tried.code === 'denied' && host === 'vscode' && agentHost ? tryAs('copilot-cli') : tried;

  /** The host's file is exactly as setup writes it: so it would run this in the folder of the canary. */
  async function tryAs(name: HostName): Promise<CanaryResult> {
    const { deny: denial, setup } = hosts[name];
    const calls = canaryCalls(setup, ground.folder);
    if (setup.isPlugin)
      return tryHook(ground, { hook: { kind: 'plugin', text: opencodePlugin(there) }, calls, denial });
    const shell = shellOf(place, name);
    const commandOf = (denying: boolean) =>
      ({ kind: 'command', shell, line: hookCommand(there, name, { denying, after: !denying }) }) as const;
    return tryHooks(ground, { commandOf, calls, denial });
  }
}

export function settingsReader(
  { workspace, home, env, platform }: Pick<Place, 'workspace' | 'home' | 'env' | 'platform'>,
  machine: Machine,
  host: HostName,
): SettingsReader {
  const folders = [workspace, realOf(workspace)];
  return {
    ...{ workspace, home, env, platform, folders },
    machineFile: isMachineHost(host) ? onDisk(machine, placesOf(machine)[host]) : null,
    settings: settingsIn,
    isBelow: (folder) => folders.some((one) => isWithin(one, folder)),
    isReallyBelow: (folder) => isWithin(realOf(workspace), realOf(folder)),
  };
}

/** How an agent could bypass a working hook, if it can. */
function wayAround(place: Place, host: SetupName, machine: Machine): Finding | null {
  if (host === 'git') return { code: 'skippable', about: 'git commit --no-verify' };
  return hosts[host].setup.wayAround?.(settingsReader(place, machine, host)) ?? null;
}

/** A settings file of the host that turns its hooks off. */
function disabledIn(place: Place, host: SetupName, machine: Machine): string | null {
  return host === 'git' ? null : (hosts[host].setup.disabledIn?.(settingsReader(place, machine, host)) ?? null);
}

/** Rules that work stop the host whatever its files in the folder say; what they lack besides the hook still counts. */
export function withRules(check: HostCheck, rules: MachineCheck | undefined): HostCheck {
  if (!rules || rules.verdict === 'none') return check;
  if (rules.verdict === 'broken') {
    const verdict = check.verdict === 'off' ? 'broken' : check.verdict;
    return { ...check, verdict, findings: [...rules.findings, ...check.findings] };
  }
  const rest = check.findings.filter(({ code }) => code === 'mcpMissing' || code === 'mcpEdited');
  return {
    host: check.host,
    verdict: 'enforced',
    by: 'administrator',
    findings: [{ code: 'denied', about: '' }, ...rest],
  };
}
