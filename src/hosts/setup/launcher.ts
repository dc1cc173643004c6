/**
 * The program that hosts' files name: a small script in the user-level folder, which the extension writes anew each time
 * it starts. So what is written into hosts' files stays right when VS Code or the extension moves with an update.
 * A script whose program is gone exits with 127, which the commands of commandLine.ts turn into "denied".
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { posixQuoted } from './commandLine.ts';

export interface LauncherTarget {
  /** Absolute path of a Node, or of an Electron that runs as one by `env`. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder with the bundles: `cli.cjs`, `mcp.cjs`, `hook.cjs`. */
  readonly programs: string;
}

/** Without an ending: beside it lies `holdpoint.cmd` on Windows. */
export function launcherPath(userFolder: string): string {
  return path.join(userFolder, 'bin', 'holdpoint');
}

/** Hooks and the MCP server start their own bundle at once: each call of a tool waits for it. */
export function posixLauncher({ command, env, programs }: LauncherTarget): string {
  const settings = Object.entries(env).map(([name, value]) => `export ${name}=${posixQuoted(value)}\n`);
  return `#!/bin/sh
# Written by Holdpoint, anew whenever the extension starts. Hooks of agents call it: without it they deny.
${settings.join('')}programs=${posixQuoted(programs)}
case "$1" in
  hook) shift; exec ${posixQuoted(command)} "$programs/hook.cjs" "$@" ;;
  mcp) shift; exec ${posixQuoted(command)} "$programs/mcp.cjs" "$@" ;;
  *) exec ${posixQuoted(command)} "$programs/cli.cjs" "$@" ;;
esac
`;
}

export function windowsLauncher({ command, env, programs }: LauncherTarget): string {
  const quoted = (text: string) => `"${text.replaceAll('%', '%%')}"`;
  const program = (name: string) => quoted(path.win32.join(programs, name));
  return [
    '@echo off',
    'rem Written by Holdpoint, anew whenever the extension starts. Hooks of agents call it: without it they deny.',
    'setlocal',
    ...Object.entries(env).map(([name, value]) => `set "${name}=${value.replaceAll('%', '%%')}"`),
    // The command line holds what comes after the first word too, quotes and all, which %* alone has.
    `if "%~1"=="hook" (${quoted(command)} ${program('hook.cjs')} %2 %3 %4 %5 %6 %7 %8 %9) else ${quoted(command)} ${program('cli.cjs')} %*`,
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n');
}

/**
 * Writes the launcher, if it is not as it should be.
 * @param keep leaves a launcher whose programs are there alone: the command line does not take it from the extension
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

/** Whether the launcher is there and so are the programs it names. */
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

/** Why the launcher would not start anything; null when it would. */
export function launcherTrouble(userFolder: string): string | null {
  const file = launcherPath(userFolder);
  if (!fs.existsSync(file)) return `${file} is not there: open the folder in VS Code once`;
  return works(file) ? null : `${file} names programs that are gone: open the folder in VS Code once`;
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
    fs.writeFileSync(temporary, script, { mode: 0o755, flag: 'wx' });
    fs.renameSync(temporary, file);
  }
  fs.chmodSync(file, 0o755);
}
