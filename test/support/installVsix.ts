import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from './host.ts';
import { start } from './processes.ts';
import type { Scenario } from './scenario.ts';

/** Installs a packed extension into a scenario, as users do. */
export async function installVsix(host: Host, scenario: Scenario, vsix: string): Promise<void> {
  const folders = [`--extensions-dir=${scenario.extensions}`, `--user-data-dir=${scenario.userData}`];
  const args = ['--install-extension', vsix, ...folders];
  const installing =
    host.kind === 'web'
      ? start(host.node, [host.serverMain, `--server-data-dir=${scenario.serverData}`, ...args], { env: scenario.env })
      : start(await commandOf(host.executable), args, { env: scenario.env });
  const code = await installing.exited;
  if (code !== 0) throw new Error(`Installing ${vsix} failed:\n${installing.output()}`);
}

/** The command line beside the desktop program. */
async function commandOf(executable: string): Promise<string> {
  const { resolveCliPathFromVSCodeExecutablePath } = await import('@vscode/test-electron');
  return resolveCliPathFromVSCodeExecutablePath(executable);
}

/** An extension that does nothing: VS Code runs tests only beside an extension under development. */
export async function emptyExtension(folder: string): Promise<string> {
  const extension = path.join(folder, 'empty-extension');
  await mkdir(extension);
  const manifest = { name: 'empty', publisher: 'holdpoint', version: '0.0.1', engines: { vscode: '^1.114.0' } };
  await writeFile(path.join(extension, 'package.json'), JSON.stringify(manifest));
  return extension;
}
