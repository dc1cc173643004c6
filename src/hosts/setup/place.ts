/** Where setup works, and the commands that it writes into hosts' files. */
import fs from 'node:fs';
import path from 'node:path';
import { hostNames } from '../../core/kit/limits.ts';
import type { Denial, HookHost, HookKind, HostName, Program, Shell } from '../host.ts';
import { hosts } from '../hosts.ts';
import { denialJson } from '../payload/print.ts';
import { lastLine, lastLineOnWindows, posixQuoted, system32 } from './launcher.ts';

export const setupNames = [...hostNames, 'git'] as const;

export type SetupName = HostName | 'git';

export function setupTitle(name: SetupName): string {
  return name === 'git' ? 'git' : hosts[name].title;
}

export function isSetupName(name: string): name is SetupName {
  return setupNames.some((known) => known === name);
}

/** Why a setup is impossible, shown to the user verbatim, with the remedy. Nothing was written. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

export interface GitPlaces {
  /** Real path of the worktree's root. */
  readonly top: string;
  /** The folder shared by all worktrees. */
  readonly common: string;
  /** The folder for hooks, according to git or the tool that manages its hooks. */
  readonly hooks: string;
  /** Hooks inside the worktree are probably committed, and run on other machines too. */
  readonly shared: boolean;
}

/** Git's answer about a folder; null without git, or outside a worktree. */
export interface AskedGit {
  readonly workspace: string;
  readonly places: GitPlaces | null;
}

export interface Place {
  /** Absolute path of the agents' folder. */
  readonly workspace: string;
  readonly home: string;
  readonly userFolder: string;
  /** Absolute path of the launcher, without extension (launcher.ts). */
  readonly launcher: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What git said of the folder, if it was asked before (`askGit`). */
  readonly git?: AskedGit | undefined;
}

/** A host's hook command; default: for the shell that runs its hooks on this platform. */
export function hookCommand(place: Place, host: HostName, { denying, after = false, shell }: HookKind): string {
  const { deny } = hosts[host];
  const hook: HookCommand = {
    ...{ host, launcher: place.launcher, workspace: place.workspace, denying },
    ...(after ? { after } : {}),
    ...(deny ? { denial: deny } : {}),
  };
  const line = { posix: posixCommand, cmd: cmdCommand, powershell: powershellCommand }[shell ?? shellOf(place, host)];
  return line(hook);
}

/** The shell that runs a host's hooks. */
export function shellOf({ platform }: Pick<Place, 'platform'>, host: HostName): Shell {
  return platform === 'win32' ? (hosts[host].setup.windowsShell ?? 'cmd') : 'posix';
}

/**
 * Runs the launcher without a shell. A batch file on Windows needs `cmd`, which would take the first and last of several
 * quotes away if a quoted path came first.
 */
export function launching({ launcher, platform }: Pick<Place, 'launcher' | 'platform'>): [string, ...string[]] {
  return platform === 'win32' ? [`${system32}\\cmd.exe`, '/d', '/c', 'call', `${launcher}.cmd`] : [launcher];
}

export function mcpCommand(place: Place, agentType: string): Program {
  const [command, ...before] = launching(place);
  return { command, args: [...before, 'mcp', '--workspace', place.workspace, '--agent-type', agentType] };
}

export function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/**
 * The command that a host runs for each tool call, as written into the host's files. VS Code and Claude Code continue
 * when a hook's command is missing, crashes or exits with 1; only exit code 2 stops them. So each form turns every code
 * but 0 into 2 and explains it on standard error: Codex treats a silent 2 as a failure.
 */
export interface HookCommand {
  readonly host: HookHost;
  /** Absolute path of the launcher, without extension. */
  readonly launcher: string;
  /** Absolute path of the folder the agent works in. */
  readonly workspace: string;
  /**
   * For hooks before a tool: every failure denies. Other hooks only add context, so a failure must not stop anything.
   */
  readonly denying: boolean;
  /** For hooks after a tool: without a baseline of held files they end immediately, in the shell. */
  readonly after?: boolean;
  /** The output of a denial, for a host that does not read the exit code. */
  readonly denial?: Denial;
  /** The description of a generic host, as JSON. */
  readonly form?: string;
}

/** Set for hooks after a tool that only look at held files: another one notes answers to the host's questions. */
export const onlyLooks = 'HOLDPOINT_ONLY_LOOKS';

const broken =
  'Holdpoint cannot tell whether this may continue, so it is denied. Open the folder in VS Code once, or run: holdpoint setup --check';

/** For sh, bash, zsh and dash, and for Git Bash on Windows, which needs forward slashes in paths. */
export function posixCommand(hook: HookCommand): string {
  const slashed = (file: string) => (/^[A-Za-z]:\\/.test(file) ? file.replaceAll('\\', '/') : file);
  const [launcher, workspace] = [slashed(hook.launcher), slashed(hook.workspace)];
  const form = hook.form === undefined ? '' : ` --form ${posixQuoted(hook.form)}`;
  const call = `${posixQuoted(launcher)} hook ${hook.host} --workspace ${posixQuoted(workspace)}${form}`;
  // An empty or torn launcher would exit with 0.
  const isWhole = `[ "$(tail -n 1 ${posixQuoted(launcher)} 2>/dev/null)" = '${lastLine}' ]`;
  if (hook.after) return `${ifBaselines(workspace)}${onlyLooks}=1 ${call}; else cat >/dev/null; fi`;
  if (!hook.denying) return call;
  if (hook.denial?.exit === 0) return `${isWhole} && ${call} || echo ${posixQuoted(brokenJson(hook.denial))}`;
  return `${isWhole} && ${call} || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; }`;
}

/**
 * False only where this folder has a store, or the repository that would have it, and no baseline: then no program is
 * started. What the host sends is read all the same, because its write must not fail.
 */
function ifBaselines(workspace: string): string {
  const at = (name: string) => posixQuoted(`${workspace}/${name}`);
  const hasStore = `[ -d ${at('.holdpoint')} ] || [ -d ${at('.git')} ]`;
  return `if [ -d ${at('.holdpoint/baselines')} ] || ! { ${hasStore}; }; then `;
}

function brokenJson(denial: Denial): string {
  return JSON.stringify(denialJson(denial, broken));
}

/** For `cmd /d /s /c "…"`, the form in which programs on Windows run a command line. */
export function cmdCommand({ host, launcher, workspace, denying, after, denial }: HookCommand): string {
  const call = `call "${launcher}.cmd" hook ${host} --workspace "${workspace}"`;
  const explained = `(if errorlevel 3 (echo ${broken}>&2) else if not errorlevel 2 (echo ${broken}>&2))`;
  const isWhole = `${system32}\\findstr.exe /x /c:"${lastLineOnWindows}" "${launcher}.cmd" >nul 2>nul`;
  if (after) return `set "${onlyLooks}=1" && ${call}`;
  if (!denying) return call;
  if (denial?.exit === 0) return `${isWhole} && ${call} || echo ${brokenJson(denial)}`;
  return `${isWhole} && ${call} || (${explained} & exit 2)`;
}

/**
 * For `powershell -Command` and `pwsh -Command`. A missing program leaves `$LASTEXITCODE` unset, which does not equal
 * 0.
 */
export function powershellCommand({ host, launcher, workspace, denying, after }: HookCommand): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const call = `& ${quoted(`${launcher}.cmd`)} hook ${host} --workspace ${quoted(workspace)}`;
  const last = `"$(Get-Content -LiteralPath ${quoted(`${launcher}.cmd`)} -Tail 1 -ErrorAction SilentlyContinue)"`;
  const whole = `if (${last} -cne '${lastLineOnWindows}') { [Console]::Error.WriteLine('${broken}'); exit 2 }`;
  if (after) return `$env:${onlyLooks} = '1'; ${call}; exit $LASTEXITCODE`;
  return denying
    ? `${whole}; ${call}; if ($LASTEXITCODE -ne 0) { if ($LASTEXITCODE -ne 2) { [Console]::Error.WriteLine('${broken}') }; exit 2 }`
    : `${call}; exit $LASTEXITCODE`;
}

export function isHookCommand(command: unknown): boolean {
  return typeof command === 'string' && /holdpoint/i.test(command) && /\bhook\b['"\s,]+[a-z]+/.test(command);
}

/** Path of a program that can be started without a shell. */
export function programOf(place: Pick<Place, 'env' | 'platform'>, program: string): string | undefined {
  return onPath(place, program, ['.exe']).find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Where a program with one of these endings may be. */
export function onPath(
  { env, platform }: Pick<Place, 'env' | 'platform'>,
  program: string,
  endings: string[],
): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.flatMap((folder) =>
    (platform === 'win32' ? endings : ['']).map((ending) => path.join(folder, program + ending)),
  );
}
