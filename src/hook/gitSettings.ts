/** Reads the settings that git has in a folder: those of the repository, of the user and of the machine. */
import process from 'node:process';
import type { Answering } from '../app/workspace/atGate.ts';

/** The key is in lower case, except for its middle part. */
export type Setting = readonly [key: string, value: string];

const waitsMs = 2_000;
/** The list of files of a large repository. Bytes. */
const outputAtMost = 256 * 1024 * 1024;

/** @throws Error if git fails */
export function askGit({ options }: Answering, folder: string, ...args: readonly string[]): string {
  // Loaded with the first question: that takes a fifth of a hook's own time.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: outputAtMost,
    timeout: waitsMs,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...options.env, HOME: options.home },
    windowsHide: true,
  });
}

/** @param scope `--system`: those of the machine only. @throws Error if git fails */
export function settingsOf(workspace: Answering, folder: string, ...scope: readonly '--system'[]): Setting[] {
  return askGit(workspace, folder, 'config', ...scope, '--list', '--includes', '-z')
    .split('\0')
    .map((entry): Setting => {
      const [key = '', value = ''] = entry.split(/\n(.*)/s);
      return [key, value];
    });
}
