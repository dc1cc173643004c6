/** Git, as the command line asks it: names with one meaning, the top of a repository, and settings no repository can change. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import { AppError } from '../../app/workspace/errors.ts';
import type { CheckRange, CheckFile, RangeCommit } from '../../app/audit/checkReport.ts';
import { randomUUID } from 'node:crypto';
import { referencesIn } from '../../app/hold/commitGate.ts';
import type { Io } from './io.ts';

/** Runs git and returns its output. @throws AppError if git fails */
type AskGit = (args: readonly string[]) => string;

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
function topOf(git: AskGit, folder: string): string {
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

interface GitPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws AppError `bad_input` with the first line of what git said */
function runGit({ folder, env }: GitPlace, args: readonly string[], input = ''): Buffer {
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

const tree = ['-r', ...comparing];

export interface Refs {
  readonly base: string;
  readonly head: string;
  readonly require?: readonly string[];
}

export interface GitRepository {
  readonly top: string;
  run(args: readonly string[], input?: string): Buffer;
  text(args: readonly string[], input?: string): string;
}

/** Variables set by a surrounding git command refer to another repository. */
function withoutPlaces(env: Io['env']): Io['env'] {
  const kept = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_TRACE'];
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || kept.includes(name))),
    ...{ GIT_LITERAL_PATHSPECS: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  };
}

/**
 * @param env by default, without the variables of a surrounding git command
 * @throws AppError `bad_input` outside of a repository, and where settings make it one of other files
 */
export function gitRepository(io: Pick<Io, 'env'>, folder: string, env = withoutPlaces(io.env)): GitRepository {
  const run = (args: readonly string[], input?: string) => runGit({ folder, env }, args, input);
  const text = (args: readonly string[], input?: string) => run(args, input).toString('utf8');
  return { top: topOf(text, folder), run, text };
}

/**
 * @param folder the workspace's folder, which may be a part of the repository or around it
 * @throws AppError `bad_input` for what is not a ref; `conflict` where the difference would not be that of the head
 */
export function readRange(git: GitRepository, refs: Refs, folder: string): CheckRange {
  if (git.text(['rev-parse', '--is-shallow-repository']).trim() !== 'false')
    throw new AppError(
      'conflict',
      'this clone is shallow, so the difference is not known. Fetch the whole history (fetch-depth: 0)',
    );
  const base = requiredCommit(git, '--base', refs.base);
  const head = requiredCommit(git, '--head', refs.head);
  requireCheckedOut(git, head);
  const bases = mergeBases(git, base, head);
  const commits = commitsIn(git, base, head);
  const files = new Map<string, CheckFile>();
  // With several merge bases, git would compare with any one of them.
  for (const from of bases) for (const file of difference(git, from, head)) files.set(file.path, file);
  for (const name of commits.flatMap((commit) => commit.files))
    if (!files.has(name)) files.set(name, { path: name, change: 'reverted', submodule: false });
  const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    base,
    head,
    merge_bases: bases,
    files: sorted,
    commits,
    inside: placeIn(git.top, folder),
    required: refs.require ?? [],
  };
}

/** Throws if the refs or the checkout moved while the change was read. @throws AppError `conflict` */
export function requireUnmoved(git: GitRepository, refs: Refs, { base, head }: CheckRange): void {
  if (requiredCommit(git, '--base', refs.base) !== base || requiredCommit(git, '--head', refs.head) !== head)
    throw new AppError('conflict', 'the base or the head has moved. Run the check again');
  requireCheckedOut(git, head);
}

/** The report is about one commit, so nothing else may be checked out. @throws AppError `conflict` */
function requireCheckedOut(git: GitRepository, head: string): void {
  const current = requiredCommit(git, 'HEAD', 'HEAD');
  if (current !== head)
    throw new AppError('conflict', `--head is ${head}, but ${current} is checked out. Check out the head first`);
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=untracked'];
  if (git.run(status).length > 0)
    throw new AppError('conflict', `there are changes that ${head} does not contain. Commit them first`);
}

/** @throws AppError `bad_input` */
function requiredCommit(git: GitRepository, option: string, ref: string): string {
  if (!isRef(ref)) throw new AppError('bad_input', `${option}: "${ref.slice(0, 200)}" is not a branch, tag or commit`);
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = (attempt(() => git.text(args)) ?? '').trim();
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(found))
    throw new AppError('bad_input', `${option}: git does not know the commit "${ref}"`);
  requireOneMeaning((asked) => git.text(asked), option, ref);
  return found;
}

/** No option, no range, no path in a tree and no search: git-check-ref-format(1), gitrevisions(7). */
function isRef(text: string): boolean {
  return (
    text.length <= 1_000 &&
    !/^[-^:]|\.\.|@\{|[\p{Cc}\p{Z}:?*[\\]/u.test(text) &&
    !/\^[{!@-]/.test(text) &&
    text !== '' &&
    text !== '@'
  );
}

function mergeBases(git: GitRepository, base: string, head: string): string[] {
  const found = attempt(() => git.text(['merge-base', '--all', base, head])) ?? '';
  const bases = found.split('\n').filter(Boolean);
  if (bases.length === 0) throw new AppError('conflict', `${base} and ${head} have no common history`);
  return bases;
}

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const changes: Readonly<Record<string, CheckFile['change']>> = { A: 'added', D: 'deleted', T: 'retyped' };

/** Raw output: `:100644 100644 <hash> <hash> M`, then the path, each ended by a zero byte. */
function difference(git: GitRepository, from: string, to: string): CheckFile[] {
  const fields = git.text(['diff-tree', '--raw', '--no-abbrev', ...tree, from, to]).split('\0');
  const files: CheckFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = '', after = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ');
    const isSubmodule = before === '160000' || after === '160000';
    files.push({ path: fields[at + 1] ?? '', change: changes[letter] ?? 'modified', submodule: isSubmodule });
  }
  return files;
}

/** Commits of the head that the base does not have, oldest first. Of merges: what differs from all parents. */
function commitsIn(git: GitRepository, base: string, head: string): RangeCommit[] {
  // Unpredictable, so that no message can look like the start of another commit.
  const mark = randomUUID();
  const format = ['%H', '%B'].map((field) => `${mark}${field}`).join('');
  const log = git.text([
    ...['log', '--reverse', '--topo-order', '-c', '--encoding=UTF-8', '--name-only', ...tree],
    ...[`--format=${mark}${format}${mark}`, head, `^${base}`, '--'],
  ]);
  return log
    .split(`${mark}${mark}`)
    .slice(1)
    .map((entry) => {
      const [sha = '', message = '', names = ''] = entry.split(mark);
      return { sha, files: namesIn(names), names: referencesIn(message) };
    });
}

function namesIn(text: string): string[] {
  return text
    .split('\0')
    .map((name) => name.replace(/^\n/, ''))
    .filter((name) => name !== '');
}

export interface TreeFile {
  readonly path: string;
  /** `100644`, or that of a link. */
  readonly mode: string;
  readonly content: Buffer;
}

/** The files directly in a folder of a commit, whatever the checkout has. */
export function filesAt(git: GitRepository, commit: string, folder: string): TreeFile[] {
  const listed = git
    .text(['ls-tree', '-z', '--full-tree', commit, '--', `${folder}/`])
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', type = '', hash = '', name = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      return type === 'blob' ? [{ path: name, mode, hash }] : [];
    });
  if (listed.length === 0) return [];
  const batch = git.run(['cat-file', '--batch'], listed.map(({ hash }) => `${hash}\n`).join(''));
  let at = 0;
  return listed.map(({ path: name, mode, hash }) => {
    const end = batch.indexOf('\n', at);
    const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(batch.toString('latin1', at, end))?.[1] ?? NaN);
    if (Number.isNaN(size)) throw new AppError('conflict', `git has no content of ${name} (${hash})`);
    at = end + 1 + size + 1;
    return { path: name, mode, content: batch.subarray(end + 1, end + 1 + size) };
  });
}
