/** The scripts behind `holdpoint` in terminals. They preserve blanks, quotes and percent signs in paths. */
import { inBatch, notInCurrentFolder } from '../../hosts/setup/launcher.ts';

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
