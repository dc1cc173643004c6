/** Git, as the command line asks it: names with one meaning, the top of a repository, and settings no repository can change. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import { AppError } from '../../app/workspace/errors.ts';
import type { CheckRange } from '../../app/audit/checkReport.ts';

/** Runs git and returns its output. @throws AppError if git fails */
export type AskGit = (args: readonly string[]) => string;

/**
 * Refuses a name that is that of several commits: git would use one of them and only warn.
 * @param written a name, perhaps with more after it: `origin/main~3`
 * @throws AppError `bad_input`, with the name to write instead
 */
export function requireOneMeaning(git: AskGit, option: string, written: string): void {
  const name = /^(?:(?!@\{)[^~^:])*/.exec(written)?.[0] ?? '';
  // Git never reads a whole hash or HEAD as another ref.
  if (name === '' || name === '@' || name === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return;
  const found = refsOf(git, name);
  if (name.startsWith('refs/')) {
    if (found.has(name)) return;
    throw new AppError('bad_input', `${option}: there is no ${name}`);
  }
  const meanings = new Set([commitOf(git, name), ...found.values()]);
  const isHash = found.size > 0 && isAbbreviatedHash(git, name);
  if (meanings.size === 1 && !isHash) return;
  const refs = [...found.keys()];
  const instead = refs.find((ref) => !ref.startsWith('refs/tags/')) ?? refs[0] ?? '';
  throw new AppError(
    'bad_input',
    `${option}: "${name}" is the name of different commits (${[...refs, ...(isHash ? ['a hash'] : [])].join(', ')}). Write ${isHash ? 'the whole hash or ' : ''}the whole name that you mean, such as ${instead}`,
  );
}

/** Refs that git looks for when it is given a name, with their commits: gitrevisions(7). */
function refsOf(git: AskGit, name: string): Map<string, string> {
  const names = name.startsWith('refs/')
    ? [name]
    : [...['', 'tags/', 'heads/', 'remotes/'].map((kind) => `refs/${kind}${name}`), `refs/remotes/${name}/HEAD`];
  const lines = git(['for-each-ref', '--format=%(refname) %(objecttype) %(objectname)', ...names]).split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [ref = '', type = '', hash = ''] = line.split(' ');
      return names.includes(ref) ? [[ref, type === 'commit' ? hash : commitOf(git, ref)]] : [];
    }),
  );
}

function commitOf(git: AskGit, name: string): string {
  return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).trim();
}

/** Also of what `git describe` prints: `v1-3-g12ab34c`. */
function isAbbreviatedHash(git: AskGit, name: string): boolean {
  const hash = /^(?:.*-g)?([0-9a-f]{4,40})$/i.exec(name)?.[1];
  return hash !== undefined && git(['rev-parse', `--disambiguate=${hash}`]).trim() !== '';
}

/**
 * The root that git takes for the folder's repository. Refuses one that is not that of the folder's files: names of files
 * in commits would lead to other files.
 * @throws AppError `bad_input`
 */
export function topOf(git: AskGit, folder: string): string {
  const top = git(['rev-parse', '--show-toplevel']).replace(/\r?\n$/, '');
  const [root, place] = [realPath(top), realPath(folder)];
  const expected = repositoryAround(place);
  const isRoot = expected === null ? contains(root, place) : path.relative(expected, root) === '';
  if (isRoot) return top;
  throw new AppError(
    'bad_input',
    `git takes ${top} for the root of the repository of ${folder}. Remove core.worktree from its settings, and GIT_WORK_TREE from the environment`,
  );
}

/** The innermost folder around this one that git takes for a worktree without other settings. */
function repositoryAround(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.lstatSync(path.join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
    if (path.dirname(at) === at) return null;
  }
}

function contains(folder: string, other: string): boolean {
  const inside = path.relative(folder, other);
  return inside.split(path.sep)[0] !== '..' && !path.isAbsolute(inside);
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch (cause) {
    throw new AppError('bad_input', `${folder} cannot be looked up`, { cause });
  }
}

/** For every call: no program of a configuration runs, and none of these settings changes what git prints. */
const settings = [
  ...['core.fsmonitor=false', 'core.quotePath=false', 'core.commitGraph=false', 'log.showSignature=false'],
  ...['log.showRoot=true', 'diff.ignoreSubmodules=none', 'diff.relative=false'],
].flatMap((setting) => ['-c', setting]);

/** For comparisons. Every change of a submodule is listed, whatever .gitmodules says of it. */
export const comparing = ['-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];

/**
 * Variables for every call. A repository can contain replacements for its commits. Git may fetch what is missing through
 * programs that settings name; no such transport is allowed.
 */
const gitVariables: Readonly<Record<string, string>> = {
  ...{ GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: os.devNull },
  ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
};

export interface GitPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws AppError `bad_input` with the first line of what git said */
export function runGit({ folder, env }: GitPlace, args: readonly string[], input = ''): Buffer {
  try {
    return execFileSync('git', ['-C', folder, ...settings, ...args], {
      env: { ...env, ...gitVariables },
      input,
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (cause) {
    throw new AppError('bad_input', `git cannot read the commits: ${gitFailure(cause, folder)}`, { cause });
  }
}

/** Why git failed, in words; its own are only quoted where we know none. */
function gitFailure(cause: unknown, folder: string): string {
  const [said = ''] = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n') : [];
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return 'git is not installed';
  if (said.includes('not a git repository')) return `${folder} is not in a git repository`;
  if (said.includes('dubious ownership'))
    return `git does not read ${folder}, because another user owns it (see safe.directory in git config --help)`;
  return `git could not read it${said === '' ? '' : `, and said "${said.replace(/^(?:fatal|error): /, '')}"`}`;
}

/** Paths of a workspace in a part of the repository, or around it. */
export function placeIn(top: string, folder: string): CheckRange['inside'] {
  const down = path.relative(top, folder).split(path.sep).join('/');
  if (down === '') return (file) => file;
  if (down !== '..' && !down.startsWith('../'))
    return (file) => (file.startsWith(`${down}/`) ? file.slice(down.length + 1) : down === file ? '.' : null);
  const up = path.relative(folder, top).split(path.sep).join('/');
  return up.startsWith('..') ? () => null : (file) => `${up}/${file}`;
}
