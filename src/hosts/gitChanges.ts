/** Asks git which files of a folder were changed since a time, by commits or not committed yet. Runs no hooks. */
import path from 'node:path';
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

export interface CommittedChange {
  readonly author: string;
  readonly email: string;
  readonly message: string;
  /** Relative to the folder, `/`-separated. */
  readonly files: readonly string[];
}

export interface GitChanges {
  /** Latest first; at most `commitsAtMost`. */
  readonly commits: readonly CommittedChange[];
  /** Differ from the last commit, or are unknown to git and not ignored. Some may be older than the time. */
  readonly uncommitted: readonly string[];
}

export interface GitFolder {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

const commitsAtMost = 500;
const waitsMs = 5_000;
/** Neither configured programs nor locks: reading must not change anything. */
const safely = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'log.showSignature=false'];

/** @returns null without git, or outside of a repository with a commit */
export async function gitChanges(place: GitFolder, since: string): Promise<GitChanges | null> {
  // Unpredictable, so that no message can look like the start of another commit.
  const mark = randomUUID();
  const format = ['%at', '%ct', '%an', '%ae', '%B'].map((field) => `${mark}${field}`).join('');
  const seconds = Math.floor(Date.parse(since) / 1000);
  try {
    const [log, changed, unknown] = await Promise.all([
      run(place, [
        ...['log', `--since=${String(seconds)}`, `--max-count=${String(commitsAtMost)}`, '--no-merges', '--relative'],
        ...['--no-ext-diff', '--no-renames', '--name-only', `--format=${mark}${format}${mark}`, '-z'],
      ]),
      run(place, ['diff', '--relative', '--no-ext-diff', '--no-renames', '--name-only', '-z', 'HEAD']),
      run(place, ['ls-files', '--others', '--exclude-standard', '-z']),
    ]);
    return { commits: commitsIn(log, mark, seconds), uncommitted: [...names(changed), ...names(unknown)] };
  } catch {
    return null;
  }
}

/** Made and committed since then: one that was only moved is older work. */
function commitsIn(log: string, mark: string, since: number): CommittedChange[] {
  return log
    .split(`${mark}${mark}`)
    .slice(1)
    .flatMap((text) => {
      const [made = '', committed = '', author = '', email = '', message = '', files = ''] = text.split(mark);
      if (Number(made) < since || Number(committed) < since) return [];
      return [{ author, email, message, files: names(files) }];
    });
}

function names(text: string): string[] {
  return text
    .split('\0')
    .map((name) => name.replace(/^\n/, ''))
    .filter((name) => name !== '');
}

/** Variables set by a surrounding git command refer to another repository. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  return { ...clean, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1' };
}

async function run({ folder, env }: GitFolder, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...safely, ...args], {
    encoding: 'utf8',
    env: withoutGit(env),
    maxBuffer: 1 << 26,
    timeout: waitsMs,
    windowsHide: true,
  });
  return stdout;
}

// The content of a file in the last commit, from git. Runs no configured programs.

/** Null without git, or if the commit does not have the file. @param absolute the file's path */
export function gitContent(env: NodeJS.ProcessEnv): (absolute: string) => Buffer | null {
  return (absolute) => {
    const args = ['-C', path.dirname(absolute), ...safely, 'cat-file', 'blob', `HEAD:./${path.basename(absolute)}`];
    try {
      return execFileSync('git', args, {
        env: withoutGit(env),
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: waitsMs,
        windowsHide: true,
      });
    } catch {
      return null;
    }
  };
}
