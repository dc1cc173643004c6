/**
 * Compares the launcher with what setup writes, byte for byte: a launcher that was edited could answer only the canary.
 * The extension and a command line outside of it run on different programs, so either can have written it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { launcherPath, posixLauncher, readOrNull, windowsLauncher } from './launcher.ts';
import type { LauncherTarget } from './launcher.ts';

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
  if (text === null) return broken(`${file} is missing: open the folder in VS Code once`);
  const found = writtenTarget(userFolder, text);
  if (!found || (platform === 'win32' && readText(`${file}.cmd`) !== windowsLauncher(userFolder, found)))
    return broken(`${file} is not as Holdpoint wrote it: reload the window in VS Code, which writes it again`);
  if (!startsSomething(found))
    return broken(`${file} names programs that no longer exist: open the folder in VS Code once`);
  if (!hasSamePrograms(found.programs, target.programs))
    return broken(
      `${file} starts programs that are not those of this Holdpoint (${found.programs}): reload the window in VS Code, which writes it again`,
    );
  return found.command === target.command ? null : { code: 'otherProgram', about: found.command };
}

function broken(about: string): LauncherTrouble {
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
  const programs = unquoted(/^programs=('.*')$/m.exec(text)?.[1]);
  const command = unquoted(/^node=('.*')$/m.exec(text)?.[1]);
  if (programs === null || command === null) return null;
  const written = [{}, { ELECTRON_RUN_AS_NODE: '1' }].map((env) => ({ command, env, programs }));
  return written.find((target) => posixLauncher(userFolder, target) === text) ?? null;
}

/** Undoes `posixQuoted`. */
function unquoted(quoted: string | undefined): string | null {
  return quoted === undefined ? null : quoted.slice(1, -1).replaceAll("'\\''", "'");
}

function startsSomething({ programs, command }: LauncherTarget): boolean {
  return fs.existsSync(path.join(programs, 'cli.mjs')) && fs.existsSync(command);
}

/** The same bundles, possibly of another installation of the same version. */
function hasSamePrograms(found: string, ours: string): boolean {
  if (path.resolve(found) === path.resolve(ours)) return true;
  const bundles = fs.readdirSync(ours).filter((name) => name.endsWith('.mjs'));
  return bundles.every((name) => {
    const there = readOrNull(path.join(found, name));
    return there !== null && fs.readFileSync(path.join(ours, name)).equals(there);
  });
}

function readText(file: string): string | null {
  return readOrNull(file)?.toString('utf8') ?? null;
}
