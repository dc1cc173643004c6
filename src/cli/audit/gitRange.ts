/**
 * The change between two commits, as git records it. A branch may contain anything, so nothing of it decides how git is
 * asked: replaced objects and grafts are not valid, no ref is an option, and no program of a configuration runs.
 */
import { randomUUID } from 'node:crypto';
import type { CheckFile, CheckRange, RangeCommit } from '../../app/audit/checkReport.ts';
import { referencesIn } from '../../app/hold/commitGate.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { requireOneMeaning, comparing, placeIn, runGit, topOf } from '../kit/git.ts';
import type { Io } from '../kit/io.ts';

const tree = ['-r', ...comparing];

export interface Refs {
  readonly base: string;
  readonly head: string;
  readonly require?: readonly string[];
}

export interface GitRepository {
  readonly top: string;
  run(args: readonly string[], input?: string): Buffer;
  text(args: readonly string[]): string;
}

/** @throws AppError `bad_input` outside of a repository, and where settings make it one of other files */
export function gitRepository(io: Io, folder: string): GitRepository {
  // Variables set by a surrounding git command refer to another repository.
  const kept = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
  const env = {
    ...Object.fromEntries(Object.entries(io.env).filter(([name]) => !name.startsWith('GIT_') || kept.includes(name))),
    ...{ GIT_LITERAL_PATHSPECS: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  };
  const run = (args: readonly string[], input?: string) => runGit({ folder, env }, args, input);
  const text = (args: readonly string[]) => run(args).toString('utf8');
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
  const base = commitOf(git, '--base', refs.base);
  const head = commitOf(git, '--head', refs.head);
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
  if (commitOf(git, '--base', refs.base) !== base || commitOf(git, '--head', refs.head) !== head)
    throw new AppError('conflict', 'the base or the head has moved. Run the check again');
  requireCheckedOut(git, head);
}

/** The report is about one commit, so nothing else may be checked out. @throws AppError `conflict` */
function requireCheckedOut(git: GitRepository, head: string): void {
  const current = commitOf(git, 'HEAD', 'HEAD');
  if (current !== head)
    throw new AppError('conflict', `--head is ${head}, but ${current} is checked out. Check out the head first`);
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=untracked'];
  if (git.run(status).length > 0)
    throw new AppError('conflict', `there are changes that ${head} does not contain. Commit them first`);
}

/** @throws AppError `bad_input` */
function commitOf(git: GitRepository, option: string, ref: string): string {
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
