// Runs before anything is installed: no dependencies, and must work on a Node older than the minimum (tried with 20).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));

const windows = process.platform === 'win32';

const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
/**
 * The package with the project's Node, one for each platform: a dependency of ours, because the npm package `node` gets
 * it by an install script, which npm may refuse to run. Some platforms have none.
 */
const nodePackage = `node-${windows ? 'win' : process.platform}-${process.arch}`;
const ownVersion = optionalDependencies[nodePackage];
const ownNode = path.join(root, 'node_modules', nodePackage, 'bin', windows ? 'node.exe' : 'node');

/**
 * Makes a fresh clone ready to run, then continues on the project's Node, so that a script behaves the same on every
 * machine. On another Node this call does not return: the script runs again there.
 */
export async function prepare() {
  installDependencies();
  const { node } = process.versions;
  if (node === ownVersion) return;
  if (ownVersion === undefined) {
    const [major, minor] = node.split('.').map(Number);
    // Older ones do not run TypeScript by themselves.
    if (major > 22 || (major === 22 && minor >= 18)) return;
    stop(`This is Node ${node}. Install Node 22.18 or later from https://nodejs.org, then run this again.`);
  }
  const again = spawn(ownNode, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches both processes: the inner one stops what it started, and this one waits for it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => again.kill('SIGTERM'));
  again.on('error', ({ code }) =>
    stop(`The project's Node, ${ownNode}, cannot be started (${code}). Run this, then try again:\n\n  npm ci\n`),
  );
  process.exit(await new Promise((resolve) => again.on('exit', (code) => resolve(code ?? 1))));
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** @returns {Record<string, { version?: string, optional?: boolean }>} */
function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  delete packages[''];
  return packages;
}

/**
 * The packages that are not installed as package-lock.json has them. npm writes node_modules/.package-lock.json last, so
 * it shows what is really installed: missing after a broken install, different after package-lock.json changed, and
 * correct after a plain `npm install`.
 */
function notInstalled() {
  const proof = path.join(root, 'node_modules', '.package-lock.json');
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const present = existsSync(proof) ? packagesOf(proof) : {};
  // npm goes on without an optional package that it cannot get, but we cannot go on without these.
  const platform = `${process.platform}-${process.arch}`;
  const rolldown = `@rolldown/binding-${platform}${{ linux: '-gnu', win32: '-msvc' }[process.platform] ?? ''}`;
  const programs = [nodePackage, `@esbuild/${platform}`, rolldown].map((name) => `node_modules/${name}`);
  const names = Object.keys(wanted).filter((name) =>
    present[name] ? present[name].version !== wanted[name].version : !wanted[name].optional || programs.includes(name),
  );
  names.push(...Object.keys(present).filter((name) => !wanted[name]));
  if (names.length === 0 && ownVersion !== undefined && !existsSync(ownNode)) names.push(`node_modules/${nodePackage}`);
  return names;
}

function installDependencies() {
  if (notInstalled().length === 0) return;
  console.log('Installing the packages of package-lock.json (npm ci)');
  // Whatever npm's settings on this machine leave out. A Node below the minimum would get a warning for every package.
  const failed = npm('ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error') !== 0;
  if (failed) stop('npm ci failed: see above.');
  const missing = notInstalled();
  if (missing.length === 0) return;
  stop(`npm ci succeeded, but these are not installed as package-lock.json has them: ${missing.slice(0, 5).join(', ')}.
npm leaves out an optional package that it cannot download. Run this, then try again:\n\n  npm ci\n`);
}

/** How to start npm: prefers the one that started this script, on its own Node, which is one that it supports. */
export function npmCommand(args) {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli?.endsWith('.js')) return { command: node ?? process.execPath, args: [cli, ...args], options: { cwd: root } };
  return { command: windows ? 'npm.cmd' : 'npm', args, options: { cwd: root, shell: windows } };
}

/** Runs npm with its output on this terminal; returns its exit code. */
export function npm(...line) {
  const { command, args, options } = npmCommand(line);
  const { status, error } = spawnSync(command, args, { ...options, stdio: 'inherit' });
  if (error) console.error(`${command} cannot be started (${error.code}). npm comes with Node: https://nodejs.org.`);
  return status ?? 1;
}
