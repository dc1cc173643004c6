/** Packages for benchmarks or mutation tests only are in separate folders, installed on the first run. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { onPath } from '../test/support/machine.ts';

/** @returns whether they are installed */
export function installPackages(folder: string): boolean {
  if (existsSync(path.join(folder, 'node_modules', '.package-lock.json'))) return true;
  console.log(`Installing the packages of ${path.basename(folder)}/package-lock.json`);
  const given = process.env['npm_execpath'];
  const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = given?.endsWith('.js')
    ? spawnSync(process.execPath, [given, ...args], { cwd: folder, stdio: 'inherit' })
    : spawnSync(onPath('npm') ?? 'npm', args, { cwd: folder, stdio: 'inherit' });
  return status === 0;
}

/** Without them the run continues with Node's built-in SQLite as the native one. */
export function installBenchPackages(): void {
  if (!installPackages(import.meta.dirname))
    console.log('That failed: measuring against the SQLite inside Node instead.');
}
