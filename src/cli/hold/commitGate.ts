/** `holdpoint gate --commit RANGE`, `--staged` and `--message-file FILE`: asks the gate about commits or staged changes. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commitGate } from '../../app/hold/commitGate.ts';
import type { CommitAnswer, CommitChanges, Reference } from '../../app/hold/commitGate.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { sharedData } from '../../app/workspace/freshness.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { firstLine } from '../../core/kit/text.ts';
import { changedInCommitText } from '../../tools/kit/heldChangeTexts.ts';
import { gateText } from '../../tools/kit/texts.ts';
import { comparing, settings } from '../kit/gitSettings.ts';
import { verbGuide } from '../kit/guide.ts';
import type { Io } from '../kit/io.ts';
import type { Shown } from '../kit/outputs.ts';
import { reasonData } from './reasonData.ts';

export interface CommitOptions {
  /** One commit, or a range in git's syntax. */
  readonly commit?: string;
  readonly staged?: boolean;
  readonly messageFile?: string;
}

export function isCommitGate({ commit, staged, messageFile }: CommitOptions): boolean {
  return commit !== undefined || staged === true || messageFile !== undefined;
}

/** @throws AppError `bad_input` when git does not know the commits; gates deny on any error */
export function askCommitGate(io: Io, workspace: Workspace, options: CommitOptions): Shown & { allowed: boolean } {
  const commits = changesOf(io, workspace, options);
  const answer = commitGate(workspace, commits);
  const text = textOf(answer, commits);
  const { verdict, state, conditions, constraints, references } = answer;
  const reasons = answer.reasons.map(reasonData);
  return {
    allowed: verdict === 'allow',
    text,
    schema: 'gate_commits',
    data: {
      result: verdict === 'allow' ? 'proceed' : 'denied',
      verdict,
      state,
      commits: commits.map(({ name }) => name),
      reasons,
      references,
      changed_files: answer.changed,
      conditions,
      constraints,
      shared: sharedData(answer.shared),
      text,
    },
  };
}

/** Their files and messages, from git. @throws AppError `bad_input` */
export function changesOf(
  io: Io,
  workspace: Workspace,
  { commit, staged, messageFile }: CommitOptions,
): CommitChanges[] {
  const top = git(io, workspace, ['rev-parse', '--show-toplevel']).trimEnd();
  const changes: CommitChanges[] = [];
  if (commit !== undefined) changes.push(...commitsIn(io, workspace, { top, range: commit }));
  if (staged === true) {
    const names = git(io, workspace, ['diff', '--cached', '--name-only', ...comparing]).split('\0');
    changes.push({
      name: 'the staged changes',
      files: names.filter((file) => file !== '').map((file) => path.join(top, file)),
      message: '',
      contentOf: (file) => blobOf(io, top, ':', file),
    });
  }
  if (messageFile !== undefined)
    changes.push({ name: 'the message', files: [], message: messageIn(path.resolve(io.cwd, messageFile)) });
  return changes;
}

/** Oldest first. Git is started three times, however many they are. @throws AppError `bad_input` */
function commitsIn(
  io: Io,
  workspace: Workspace,
  of: { readonly top: string; readonly range: string },
): CommitChanges[] {
  const { top, range } = of;
  if (range.startsWith('-')) throw new AppError('bad_input', `--commit: ${range} is not a commit or a range`);
  const isRange = range.includes('..');
  const listed = isRange ? [range] : ['--no-walk', range];
  const hashes = git(io, workspace, ['rev-list', '--reverse', ...listed, '--'])
    .split('\n')
    .filter(Boolean);
  if (hashes.length === 0) {
    if (isRange) return [];
    throw new AppError('bad_input', `--commit: ${range} is not a commit or a range`);
  }
  const input = hashes.map((hash) => `${hash}\n`).join('');
  const trees = git(io, workspace, ['diff-tree', '--stdin', '--root', '-r', '-m', '--raw', ...comparing], input);
  const logged = ['log', '--stdin', '--no-walk=unsorted', '--no-patch', '--encoding=UTF-8', '-z', '--format=%H%x00%B'];
  const messages = git(io, workspace, logged, input).split('\0');
  const files = filesOf(trees);
  return hashes.map((hash, index) => {
    if (messages[2 * index] !== hash)
      throw new AppError('bad_input', `git cannot read the commits: it has no message of ${hash}`);
    return {
      name: hash.slice(0, 12),
      files: [...(files.get(hash) ?? [])].map((file) => path.join(top, file)),
      message: messages[2 * index + 1] ?? '',
      contentOf: (file) => blobOf(io, top, `${hash}:`, file),
    };
  });
}

/**
 * By commit; of merges, what differs from any parent.
 * @param trees - `<hash>`, then pairs of `:100644 100644 <hash> <hash> M` and a path, each ended by a zero byte
 */
function filesOf(trees: string): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>();
  const fields = trees.split('\0');
  let current = new Set<string>();
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    if (field.startsWith(':')) current.add(fields[++at] ?? '');
    else if (field !== '') files.set(field, (current = files.get(field) ?? new Set()));
  }
  return files;
}

/** The content of a file in a commit (`HASH:`) or in what is staged (`:`); null if it is not there. */
function blobOf(io: Io, top: string, tree: string, file: string): Buffer | null {
  const name = path.relative(top, file).split(path.sep).join('/');
  try {
    return execFileSync('git', ['-C', top, ...settings, 'cat-file', 'blob', `${tree}${name}`], {
      env: gitEnvironment(io),
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
  } catch {
    return null;
  }
}

/** A repository can contain replacements for its commits. */
function gitEnvironment({ env }: Io): NodeJS.ProcessEnv {
  return { ...env, GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: os.devNull };
}

/** The message as git would commit it: without comments and anything below the scissors line. */
function messageIn(file: string): string {
  const [message = ''] = fs.readFileSync(file, 'utf8').split(/^# -+ >8 -+$/m);
  return message.replaceAll(/^#.*$/gm, '');
}

function git(io: Io, workspace: Workspace, args: readonly string[], input?: string): string {
  try {
    return execFileSync('git', ['-C', workspace.location.worktree, ...settings, ...args], {
      encoding: 'utf8',
      env: gitEnvironment(io),
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'pipe'],
      input: input ?? '',
      windowsHide: true,
    });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : '';
    throw new AppError('bad_input', `git cannot read the commits: ${said === '' ? String(error) : String(said)}`, {
      cause: error,
    });
  }
}

function textOf(answer: CommitAnswer, commits: readonly CommitChanges[]): string {
  const names = commits.map(({ name }) => name).join(', ');
  const held = answer.problem !== null || answer.reasons.length > 0;
  if (!held && answer.references.length + answer.changed.length === 0)
    return gateText(answer, { guide: verbGuide, asked: names === '' ? 'an empty range' : names });
  return [
    ...(held ? [gateText(answer, { guide: verbGuide, asked: names })] : []),
    ...answer.changed.map(changedInCommitText),
    ...answer.references.map(referenceText),
  ].join('\n');
}

function referenceText({ commit, id, problem, about, by }: Reference): string {
  const where = commit === 'the message' ? commit : `the message of ${commit}`;
  if (problem === 'holds')
    return `Denied: ${where} names ${id} "${firstLine(about ?? '')}", which still waits for a human.`;
  if (problem === 'refused')
    return `Denied: ${where} names ${id} "${firstLine(about ?? '')}", which ${by ?? 'a human'} refused. Do not commit what it asked for; only a human can lift this.`;
  if (problem === 'unapproved')
    return `Denied: ${where} names ${id} "${firstLine(about ?? '')}", which ${by ?? 'a human'} closed without approving it. If it is still needed, ask again.`;
  return `Denied: ${where} names ${id}, which does not exist here. Name an existing one, or, if you mean something else, write it differently (as in "RFC 2119").`;
}
