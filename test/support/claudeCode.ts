/** The real Claude Code from npm, installed once into the cache outside the checkout. Only tests use it. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, onPath } from './machine.ts';
import { run } from './processes.ts';

const version = '2.1.330';

/** The path of its program, or why it is unavailable. */
export async function findClaudeCode(): Promise<{ readonly program: string } | { readonly missing: string }> {
  const platform = `${process.platform}-${process.arch}`;
  const folder = path.join(cacheFolder(), 'hosts', `claude-code-${version}-${platform}`);
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const program = path.join(folder, 'node_modules', '@anthropic-ai', `claude-code-${platform}`, name);
  if (existsSync(program)) return { program };
  const unfinished = `${folder}.unfinished-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    // The program for this platform is a separate package, and needs no install script.
    const dependencies = { [`@anthropic-ai/claude-code-${platform}`]: version };
    await writeFile(path.join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await run(onPath('npm') ?? 'npm', args, { cwd: unfinished });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error; // another run installed it first
    });
    return existsSync(program) ? { program } : { missing: `Claude Code ${version} came without ${name}` };
  } catch (error) {
    return { missing: `Claude Code ${version} cannot be installed here (${String(error).split('\n')[0] ?? ''})` };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
