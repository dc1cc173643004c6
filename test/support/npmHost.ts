/** Programs from npm, such as those of agent hosts, installed once into the cache outside the checkout, for tests. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, onPath } from './machine.ts';
import { run } from './processes.ts';

export interface NpmHost {
  readonly name: string;
  readonly version: string;
  readonly packages: readonly string[];
  /** The program, relative to `node_modules`. */
  readonly program: string;
}

/** The path of its program, or why it is unavailable. */
export async function findNpmHost({
  name,
  version,
  packages,
  program: file,
}: NpmHost): Promise<{ readonly program: string } | { readonly missing: string }> {
  const folder = path.join(cacheFolder(), 'hosts', `${name}-${version}-${process.platform}-${process.arch}`);
  const program = path.join(folder, 'node_modules', file);
  if (existsSync(program)) return { program };
  const unfinished = `${folder}.unfinished-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    const dependencies = Object.fromEntries(packages.map((one) => [one, version]));
    await writeFile(path.join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await run(onPath('npm') ?? 'npm', args, { cwd: unfinished });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error; // another run installed it first
    });
    return existsSync(program) ? { program } : { missing: `${name} ${version} came without ${file}` };
  } catch (error) {
    return { missing: `${name} ${version} cannot be installed here (${String(error).split('\n')[0] ?? ''})` };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** A Node of the oldest version that we support. */
export function findNode22(): ReturnType<typeof findNpmHost> {
  const windows = process.platform === 'win32';
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${windows ? 'win' : process.platform}-${process.arch}`;
  const program = path.join(name, 'bin', windows ? 'node.exe' : 'node');
  return findNpmHost({ name: 'node', version: '22.23.2', packages: [name], program });
}
