/**
 * The program that hosts' files name: a small script in the user-level folder, which the extension rewrites at each
 * start. Entries in hosts' files thus stay valid when an update moves VS Code or the extension. A script whose program
 * is missing exits with 127, which the commands of place.ts turn into a denial.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { stateFolderVariable } from '../../core/kit/paths.ts';

/** Not by name: cmd and Windows look for a program in the current folder first, where an agent can put one. */
export const system32 = 'C:\\Windows\\System32';

/** Keeps Windows from looking for programs in the current folder. */
export const notInCurrentFolder = ['NoDefaultCurrentDirectoryInExePath', '1'] as const;

/**
 * A path in a script in this folder. cmd reads scripts in the code page of the system, so a path with other than ASCII
 * letters, such as those of a user's name, is written from the script's own folder, which cmd knows.
 */
export function inBatch(folder: string, file: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%%');
  const way = path.win32.relative(folder, file);
  return /^[\x20-\x7e]*$/.test(file) || path.win32.isAbsolute(way) ? escaped(file) : `%~dp0${escaped(way)}`;
}

/**
 * The last line of the launcher, and the only one that runs a program: nothing runs before the whole file was read. The
 * commands in hosts' files require it, because a shell takes an empty file for a success.
 */
export const lastLine = 'start "$@" # whole';

/** Of the launcher on Windows, whose lines run one by one. */
export const lastLineOnWindows = 'rem whole';

export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface LauncherTarget {
  /** Absolute path of Node, or of an Electron that `env` makes run as Node. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder with the bundles: `cli.cjs`, `mcp.cjs`, `hook.cjs`. */
  readonly programs: string;
}

/** Without extension; on Windows the file is `holdpoint.cmd`. */
export function launcherPath(userFolder: string): string {
  return path.join(userFolder, 'bin', 'holdpoint');
}

/**
 * Variables that make Node, or the system that loads it, run other code first. A host's settings can set them for its
 * hooks. The shell of this script has read its own by then (docs/security.md).
 */
export const cleared = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_COMPILE_CACHE',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'LD_PRELOAD',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
];

/** A variable of this name would take the place of a program's exit code in `%ERRORLEVEL%`: a denial could become a zero. */
export const clearedOnWindows = [...cleared, 'ERRORLEVEL'];

/** The folder of the state files is that of the launcher, whatever the host's settings make of the user's folders. */
function settingsOf(userFolder: string, env: LauncherTarget['env']): readonly (readonly [string, string])[] {
  return [notInCurrentFolder, [stateFolderVariable, userFolder], ...Object.entries(env)];
}

/** Longer than a hook waits for itself, and shorter than hosts wait for a hook. Seconds. */
const hookEndsAfter = 6;

/**
 * Runs the hook with a shell's variables `node` and `programs`. Hosts go on when a hook takes too long. So a second shell, with
 * none of the host's pipes, waits beside the hook and kills it when it is late: the commands in hosts' files deny then. The
 * hook ends that shell when it ends. If it cannot, the shell finds that its parent is no longer the hook, and kills nothing.
 * Without a watcher the hook watches itself: in Git Bash too, whose process ids are not those of Windows.
 */
export const watchedHook = `[ -x /bin/sleep ] && [ -z "$WINDIR" ] || exec "$node" "$programs/hook.cjs" "$@"
{
  trap 'kill "$sleeping"; exit' TERM
  /bin/sleep ${String(hookEndsAfter)} &
  sleeping=$!
  wait "$sleeping"
  exec /bin/sh -c '[ "$PPID" = "$1" ] && kill -KILL "$1"' sh "$$"
} </dev/null >/dev/null 2>&1 &
exec "$node" "$programs/hook.cjs" --watched "$$" "$!" "$@"`;

/** Hooks and the MCP server start their own bundle directly, because each tool call waits for it. */
export function posixLauncher(userFolder: string, { command, env, programs }: LauncherTarget): string {
  const settings = settingsOf(userFolder, env).map(([name, value]) => `export ${name}=${posixQuoted(value)}\n`);
  return `#!/bin/sh
# Holdpoint rewrites this file when the extension starts. Hooks of agents call it; without it they deny.
unset ${cleared.join(' ')}
${settings.join('')}node=${posixQuoted(command)}
programs=${posixQuoted(programs)}
start() {
case "$1" in
hook)
shift
${watchedHook} ;;
mcp) shift; exec "$node" "$programs/mcp.cjs" "$@" ;;
*) exec "$node" "$programs/cli.cjs" "$@" ;;
esac
}
${lastLine}
`;
}

export function windowsLauncher(userFolder: string, { command, env, programs }: LauncherTarget): string {
  const folder = path.win32.join(userFolder, 'bin');
  const quoted = (file: string) => `"${inBatch(folder, file)}"`;
  const program = (name: string) => quoted(path.win32.join(programs, name));
  return [
    '@echo off',
    'rem Holdpoint rewrites this file when the extension starts. Hooks of agents call it; without it they deny.',
    'setlocal',
    ...clearedOnWindows.map((name) => `set "${name}="`),
    ...settingsOf(userFolder, env).map(([name, value]) => `set "${name}=${inBatch(folder, value)}"`),
    // Only %* preserves quoting and allows any number of arguments, which the command line needs.
    `if "%~1"=="hook" (${quoted(command)} ${program('hook.cjs')} %2 %3 %4 %5 %6 %7 %8 %9) else ${quoted(command)} ${program('cli.cjs')} %*`,
    'exit /b %ERRORLEVEL%',
    lastLineOnWindows,
    '',
  ].join('\r\n');
}

/**
 * Writes the launcher if it differs.
 * @throws Error of the file system
 */
export function writeLauncher(userFolder: string, target: LauncherTarget, platform: NodeJS.Platform): void {
  const file = launcherPath(userFolder);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  write(file, posixLauncher(userFolder, target));
  if (platform === 'win32') write(`${file}.cmd`, windowsLauncher(userFolder, target));
}

/** Null for a file that cannot be read. */
export function readOrNull(file: string): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch {
    return null;
  }
}

function write(file: string, script: string): void {
  if (readOrNull(file)?.toString('utf8') !== script) {
    const temporary = `${file}.${randomUUID()}.tmp`;
    // Flushed before it takes the name: a power loss leaves the old file or the new one.
    fs.writeFileSync(temporary, script, { mode: 0o755, flag: 'wx', flush: true });
    fs.renameSync(temporary, file);
  }
  fs.chmodSync(file, 0o755);
}

/** What Node compiled of the programs cannot be compared with anything: they compile again. */
export function forgetCompiled(userFolder: string): void {
  const target = foundTarget(userFolder);
  if (!target) return;
  try {
    fs.rmSync(path.join(target.programs, 'compiled'), { recursive: true, force: true });
  } catch {
    return;
  }
}

/** Why the launcher cannot be trusted, in a sentence; `otherProgram`: all but the program that runs Node is as written. */
export type LauncherTrouble =
  { readonly code: 'launcher'; readonly about: string } | { readonly code: 'otherProgram'; readonly about: string };

/** @param target what this program would write */
export function launcherTrouble(
  userFolder: string,
  target: LauncherTarget,
  platform: NodeJS.Platform,
): LauncherTrouble | null {
  const file = launcherPath(userFolder);
  const text = readText(file);
  if (text === null) return brokenLauncher(`${file} is missing: open the folder in VS Code once`);
  const found = writtenTarget(userFolder, text);
  if (!found || (platform === 'win32' && readText(`${file}.cmd`) !== windowsLauncher(userFolder, found)))
    return brokenLauncher(`${file} is not as Holdpoint wrote it: reload the window in VS Code, which writes it again`);
  if (!startsSomething(found))
    return brokenLauncher(`${file} names programs that no longer exist: open the folder in VS Code once`);
  if (!hasSamePrograms(found.programs, target.programs))
    return brokenLauncher(
      `${file} starts programs that are not those of this Holdpoint (${found.programs}): reload the window in VS Code, which writes it again`,
    );
  return found.command === target.command ? null : { code: 'otherProgram', about: found.command };
}

function brokenLauncher(about: string): LauncherTrouble {
  return { code: 'launcher', about };
}

/** Whether the launcher exists, is as Holdpoint writes it, and names programs that exist. */
export function launcherWorks(userFolder: string): boolean {
  const target = foundTarget(userFolder);
  return target !== null && startsSomething(target);
}

function foundTarget(userFolder: string): LauncherTarget | null {
  const text = readText(launcherPath(userFolder));
  return text === null ? null : writtenTarget(userFolder, text);
}

/** The target of a launcher; null unless it is exactly what setup writes for it. */
function writtenTarget(userFolder: string, text: string): LauncherTarget | null {
  const programs = unquote(/^programs=('.*')$/m.exec(text)?.[1]);
  const command = unquote(/^node=('.*')$/m.exec(text)?.[1]);
  if (programs === null || command === null) return null;
  const written = [{}, { ELECTRON_RUN_AS_NODE: '1' }].map((env) => ({ command, env, programs }));
  return written.find((target) => posixLauncher(userFolder, target) === text) ?? null;
}

/** Undoes `posixQuoted`. */
function unquote(quoted: string | undefined): string | null {
  return quoted === undefined ? null : quoted.slice(1, -1).replaceAll("'\\''", "'");
}

function startsSomething({ programs, command }: LauncherTarget): boolean {
  return fs.existsSync(path.join(programs, 'cli.cjs')) && fs.existsSync(command);
}

/** Compares bundles, possibly of another installation of this version. */
function hasSamePrograms(found: string, ours: string): boolean {
  if (path.resolve(found) === path.resolve(ours)) return true;
  const bundles = fs.readdirSync(ours).filter((name) => name.endsWith('.cjs'));
  return bundles.every((name) => {
    const there = readOrNull(path.join(found, name));
    return there !== null && fs.readFileSync(path.join(ours, name)).equals(there);
  });
}

export function readText(file: string): string | null {
  return readOrNull(file)?.toString('utf8') ?? null;
}
