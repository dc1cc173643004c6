/** VS Code’s own Node for our programs, and the scripts that start them in terminals. */
import path from 'node:path';
import { inBatch, notInCurrentFolder, type LauncherTarget } from '../../hosts/setup/launcher.ts';

/** VS Code's own Node, so that users need not install one: Electron on a desktop, Node on a server. */
export function ownNode(): NodeProgram {
  const electron = 'electron' in process.versions;
  return { command: process.execPath, env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}

/** What the launcher of this editor starts. */
export function ownLauncher(extensionPath: string): LauncherTarget {
  return { ...ownNode(), programs: path.join(extensionPath, 'dist') };
}

// The scripts behind `holdpoint` in terminals. They preserve blanks, quotes and percent signs in paths.

export interface NodeProgram {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Git Bash on Windows also uses it. */
export function posixScript({ command, env }: NodeProgram, program: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const settings = [notInCurrentFolder, ...Object.entries(env)].map(([name, value]) => `${name}=${quoted(value)} `);
  return `#!/bin/sh\n${settings.join('')}exec ${quoted(command)} ${quoted(program)} "$@"\n`;
}

/** @param folder of the script */
export function windowsScript(folder: string, { command, env }: NodeProgram, program: string): string {
  const quoted = (file: string) => `"${inBatch(folder, file)}"`;
  const settings = [notInCurrentFolder, ...Object.entries(env)].map(([name, value]) => `set ${name}=${value}`);
  return ['@echo off', 'setlocal', ...settings, `${quoted(command)} ${quoted(program)} %*`, ''].join('\r\n');
}
