import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from './processes.ts';

/** The system's cache folder, outside the checkout. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const name = 'holdpoint-dev';
  if (process.platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local'), name, 'Cache');
  }
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches', name);
  return path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), name);
}

/** Whether this user may run the file. Unreadable folders of the path contain no programs. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return folders
    .flatMap((folder) => names.flatMap((name) => endings.map((ending) => path.join(folder, name + ending))))
    .find(isProgram);
}

/** The Chromium to use: HOLDPOINT_CHROMIUM, else an installed one. */
export function findBrowser(): string | undefined {
  const given = process.env['HOLDPOINT_CHROMIUM'];
  if (given) return given;
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge']
      .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
      .find(isProgram);
  }
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name] ?? '');
    return roots
      .flatMap((folder) => [
        path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        path.join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ])
      .find(isProgram);
  }
  return onPath('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge');
}

/** Programs that a scenario needs on the machine, with their Debian packages. */
const needs = {
  browser: { debian: 'chromium', what: 'Chromium or Chrome', present: () => findBrowser() !== undefined },
  python: { debian: 'python3', what: 'Python 3', present: () => onPath('python3') !== undefined },
  make: { debian: 'make', what: 'make', present: () => onPath('make') !== undefined },
  compiler: { debian: 'g++', what: 'a C++ compiler', present: () => onPath('g++', 'c++', 'clang++') !== undefined },
  kerberos: {
    debian: 'libkrb5-dev',
    what: 'the Kerberos headers',
    present: () => process.platform !== 'linux' || existsSync('/usr/include/gssapi/gssapi.h'),
  },
} as const;

export type Need = keyof typeof needs;

/** The developer has to do something first, as the message says. */
export class MachineError extends Error {}

function isDebian(): boolean {
  if (process.platform !== 'linux' || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Installs missing programs if allowed; otherwise throws with the command that does. */
export async function requireOnMachine(wanted: readonly Need[]): Promise<void> {
  const missing = (): Need[] => wanted.filter((need) => !needs[need].present());
  if (missing().length === 0) return;
  const packages = missing().map((need) => needs[need].debian);
  if (!isDebian()) {
    throw new MachineError(
      `Install ${missing()
        .map((need) => needs[need].what)
        .join(', ')} first, then run this again.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new MachineError(
      `Debian packages are missing. Run this, then start again:\n\n  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}'\n`,
    );
  }
  console.log(`Installing Debian packages: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['-qq', 'install', '-y', '--no-install-recommends', ...packages];
  await run('apt-get', install, { env }).catch(async () => {
    // A new image has no package lists yet.
    await run('apt-get', ['-qq', 'update'], { env });
    await run('apt-get', install, { env });
  });
  if (missing().length > 0) throw new MachineError(`Still missing after apt-get: ${missing().join(', ')}`);
}
