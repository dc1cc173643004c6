/**
 * The program that hosts' files name: a small script in the user-level folder, which the extension rewrites at each
 * start. Entries in hosts' files thus stay valid when an update moves VS Code or the extension. A script whose program
 * is missing exits with 127, which the commands of commandLine.ts turn into a denial.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { posixQuoted } from './commandLine.ts';
import { lastLine, lastLineOnWindows } from './lastLine.ts';

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

/** Hooks and the MCP server start their own bundle directly, because each tool call waits for it. */
export function posixLauncher({ command, env, programs }: LauncherTarget): string {
  const settings = Object.entries(env).map(([name, value]) => `export ${name}=${posixQuoted(value)}\n`);
  return `#!/bin/sh
# Holdpoint rewrites this file when the extension starts. Hooks of agents call it; without it they deny.
${settings.join('')}programs=${posixQuoted(programs)}
start() {
case "$1" in
  hook) shift; exec ${posixQuoted(command)} "$programs/hook.cjs" "$@" ;;
  mcp) shift; exec ${posixQuoted(command)} "$programs/mcp.cjs" "$@" ;;
  *) exec ${posixQuoted(command)} "$programs/cli.cjs" "$@" ;;
esac
}
${lastLine}
`;
}

export function windowsLauncher({ command, env, programs }: LauncherTarget): string {
  const quoted = (text: string) => `"${text.replaceAll('%', '%%')}"`;
  const program = (name: string) => quoted(path.win32.join(programs, name));
  return [
    '@echo off',
    'rem Holdpoint rewrites this file when the extension starts. Hooks of agents call it; without it they deny.',
    'setlocal',
    ...Object.entries(env).map(([name, value]) => `set "${name}=${value.replaceAll('%', '%%')}"`),
    // Only %* preserves quoting and allows any number of arguments, which the command line needs.
    `if "%~1"=="hook" (${quoted(command)} ${program('hook.cjs')} %2 %3 %4 %5 %6 %7 %8 %9) else ${quoted(command)} ${program('cli.cjs')} %*`,
    'exit /b %ERRORLEVEL%',
    lastLineOnWindows,
    '',
  ].join('\r\n');
}

/**
 * Writes the launcher if it differs.
 * @param keep leaves a working launcher alone, so that the command line does not take it from the extension
 * @throws Error of the file system
 */
export function writeLauncher(
  userFolder: string,
  target: LauncherTarget,
  { platform, keep = false }: { platform: NodeJS.Platform; keep?: boolean },
): void {
  const file = launcherPath(userFolder);
  if (keep && works(file)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  write(file, posixLauncher(target));
  if (platform === 'win32') write(`${file}.cmd`, windowsLauncher(target));
}

/** Whether the launcher and the programs it names exist. */
function works(file: string): boolean {
  const text = read(file);
  if (text === null) return false;
  const programs = /^programs='((?:[^']|'\\'')*)'$/m.exec(text)?.[1]?.replaceAll("'\\''", "'");
  const command = /exec '((?:[^']|'\\'')*)'/.exec(text)?.[1]?.replaceAll("'\\''", "'");
  return (
    programs !== undefined &&
    command !== undefined &&
    fs.existsSync(path.join(programs, 'cli.cjs')) &&
    fs.existsSync(command)
  );
}

/** Why the launcher would not start anything; null when it works. */
export function launcherTrouble(userFolder: string): string | null {
  const file = launcherPath(userFolder);
  if (!fs.existsSync(file)) return `${file} is missing: open the folder in VS Code once`;
  return works(file) ? null : `${file} names programs that no longer exist: open the folder in VS Code once`;
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function write(file: string, script: string): void {
  if (read(file) !== script) {
    const temporary = `${file}.${randomUUID()}.tmp`;
    // Flushed before it takes the name: a power loss leaves the old file or the new one.
    fs.writeFileSync(temporary, script, { mode: 0o755, flag: 'wx', flush: true });
    fs.renameSync(temporary, file);
  }
  fs.chmodSync(file, 0o755);
}
