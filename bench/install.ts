/** The packages only the benchmarks need lie in bench/node_modules, installed on the first run. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { onPath } from '../test/support/machine.ts';

/** Without them the run goes on: native SQLite is then the one inside Node. */
export function installBenchPackages(): void {
  const folder = import.meta.dirname;
  if (existsSync(path.join(folder, 'node_modules', '.package-lock.json'))) return;
  console.log('Installing what the benchmarks need (bench/package-lock.json)');
  const given = process.env['npm_execpath'];
  const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = given?.endsWith('.js')
    ? spawnSync(process.execPath, [given, ...args], { cwd: folder, stdio: 'inherit' })
    : spawnSync(onPath('npm') ?? 'npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) console.log('That failed: measuring against the SQLite inside Node instead.');
}
