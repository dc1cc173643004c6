// Runs before anything is installed: no dependencies, and must work on the oldest Node a developer may have (20).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));

const windows = process.platform === 'win32';

/**
 * Makes a fresh clone ready to run, then continues on the project's Node (a development dependency), so that a script
 * behaves the same on every machine. On another Node this call does not return: the script runs again there.
 */
export async function prepare() {
  installDependencies();
  const wanted = readFileSync(path.join(root, 'package.json'), 'utf8').match(/"node": "(\d+)\.\d+\.\d+"/)?.[1];
  if (Number(process.versions.node.split('.')[0]) >= Number(wanted)) return;
  const again = spawn(projectNode(), process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches both processes: the inner one stops what it started, and this one waits for it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => again.kill('SIGTERM'));
  process.exit(await new Promise((resolve) => again.on('exit', (code) => resolve(code ?? 1))));
}

/** The Node that `npm ci` installed. */
export function projectNode() {
  return path.join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
}

/** @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }>} */
function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  delete packages[''];
  return packages;
}

/**
 * npm writes node_modules/.package-lock.json last, so it shows what is really installed: missing after a broken
 * install, different after package-lock.json changed, and correct after a plain `npm install`.
 */
function installed() {
  const proof = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(proof) || !existsSync(projectNode())) return false;
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const present = packagesOf(proof);
  return (
    Object.entries(wanted).every(([name, entry]) =>
      present[name] ? present[name].version === entry.version : entry.optional,
    ) && Object.keys(present).every((name) => name in wanted)
  );
}

function installDependencies() {
  if (installed()) return;
  console.log('Installing the packages of package-lock.json (npm ci)');
  if (npm('ci', '--no-audit', '--no-fund') !== 0) {
    console.error('npm ci failed: see above.');
    process.exit(1);
  }
}

/** How to start npm: prefers the one that started this script. */
export function npmCommand(args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return { command: process.execPath, args: [cli, ...args], options: { cwd: root } };
  return { command: windows ? 'npm.cmd' : 'npm', args, options: { cwd: root, shell: windows } };
}

/** Runs npm with its output on this terminal; returns its exit code. */
export function npm(...line) {
  const { command, args, options } = npmCommand(line);
  return spawnSync(command, args, { ...options, stdio: 'inherit' }).status ?? 1;
}
