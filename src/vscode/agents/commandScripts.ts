/** The scripts behind `holdpoint` in terminals. Paths hold blanks, quotes and per cent signs: all are kept. */
export interface NodeProgram {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Also what Git Bash takes on Windows. */
export function posixScript({ command, env }: NodeProgram, program: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)} `);
  return `#!/bin/sh\n${settings.join('')}exec ${quoted(command)} ${quoted(program)} "$@"\n`;
}

export function windowsScript({ command, env }: NodeProgram, program: string): string {
  const quoted = (text: string) => `"${text.replaceAll('%', '%%')}"`;
  const settings = Object.entries(env).map(([name, value]) => `set ${name}=${value}`);
  return ['@echo off', 'setlocal', ...settings, `${quoted(command)} ${quoted(program)} %*`, ''].join('\r\n');
}
