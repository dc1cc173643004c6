/** `holdpoint gate` as a verb: its help, arguments that `plainGate` does not parse, and commits and staged changes. */
import { firstLine, fewLines, fewNames } from '../../core/kit/text.ts';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { type CommitAnswer, type CommitChanges, commitGate, type Reference } from '../../app/hold/commitGate.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { lookAtHeld } from '../../app/hold/lookAtHeld.ts';
import { confirmWith } from '../../app/workspace/freshness.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { changedInCommitText, gateText } from '../../tools/kit/gateText.ts';
import { comparing, gitRepository, requireOneMeaning, type GitRepository } from '../kit/git.ts';
import { type Io, verbGuide } from '../kit/io.ts';
import { verb, type Printed } from '../kit/verb.ts';
import { answerGate } from './gate.ts';
import { gateData } from '../kit/outputs.ts';

export interface CommitOptions {
  /** One commit, or a range in git's syntax. */
  readonly commit?: string | undefined;
  readonly staged?: boolean | undefined;
  readonly message_file?: string | undefined;
}

export const gateVerb = verb({
  words: 'gate',
  help: ['Work and gate', 'whether work, files or this session may continue'],
  about: 'check whether work, files or this session may continue. Exit 0: yes; 2: no or unknown',
  input: z.strictObject({
    work: z.string().optional().describe('a work item'),
    file: z.array(z.string()).default([]).describe('a file'),
    commit: z.string().optional().describe('check the files and messages of a commit or a range of commits'),
    staged: z.boolean().optional().describe('check staged changes'),
    message_file: z.string().optional().describe('check the message of a commit in progress'),
  }),
  hints: { work: '--work <id>', commit: '--commit <range>', message_file: '--message-file <file>' },
  failed: () => 2,
  async run(call, { work, file, ...commits }) {
    const { io, flags } = call;
    if (Object.values(commits).every((given) => given === undefined)) return answerGate(io, flags, { work, file });
    if (work !== undefined || file.length > 0)
      throw new AppError('bad_input', 'Ask either about commits or about work and files.');
    await confirmWith(call.workspace);
    await lookAtHeld(call.workspace);
    return answerCommits(io, call.workspace, commits);
  },
});

/** @throws AppError `bad_input` when git does not know the commits; gates deny on any error */
function answerCommits(io: Io, workspace: Workspace, options: CommitOptions): Printed {
  const commits = changesOf(io, workspace, options);
  const answer = commitGate(workspace, commits);
  const text = textOf(answer, commits);
  const isAllowed = answer.verdict === 'allow';
  return {
    text,
    schema: 'gate_commits',
    data: {
      ...gateData(answer, text),
      commits: commits.map(({ name }) => name),
      references: answer.references,
      changed_files: answer.changed,
    },
    code: isAllowed ? 0 : 2,
    toErr: !isAllowed,
  };
}

/** Their files and messages, from git. @throws AppError `bad_input` */
export function changesOf(
  io: Io,
  { location: { worktree } }: Workspace,
  { commit, staged, message_file: messageFile }: CommitOptions,
): CommitChanges[] {
  const changes: CommitChanges[] = [];
  if (commit !== undefined) changes.push(...commitsIn(gitRepository(io, worktree), commit));
  if (staged === true) {
    // A surrounding git command says where the staged changes are.
    const git = gitRepository(io, worktree, io.env);
    const names = git.text(['diff', '--cached', '--name-only', ...comparing]).split('\0');
    changes.push({
      name: 'the staged changes',
      files: names.filter((file) => file !== '').map((file) => path.join(git.top, file)),
      message: '',
      contentOf: (file) => blobOf(git, ':', file),
    });
  }
  if (messageFile !== undefined)
    changes.push({ name: 'the message', files: [], message: messageIn(path.resolve(io.cwd, messageFile)) });
  return changes;
}

/** Oldest first. Git is started a few times, however many they are. @throws AppError `bad_input` */
function commitsIn(git: GitRepository, range: string): CommitChanges[] {
  if (range.startsWith('-'))
    throw new AppError('bad_input', `--commit: ${firstLine(range)} is not a commit or a range`);
  const isRange = range.includes('..');
  const hashes = hashesIn(git, range, isRange);
  if (hashes.length === 0) {
    if (isRange) return [];
    throw new AppError('bad_input', `--commit: ${range} is not a commit or a range`);
  }
  const input = hashes.map((hash) => `${hash}\n`).join('');
  const trees = git.text(['diff-tree', '--stdin', '--root', '-r', '-m', '--raw', ...comparing], input);
  const logged = ['log', '--stdin', '--no-walk=unsorted', '--no-patch', '--encoding=UTF-8', '-z', '--format=%H%x00%B'];
  const messages = git.text(logged, input).split('\0');
  const files = filesOf(trees);
  return hashes.map((hash, index) => {
    if (messages[2 * index] !== hash)
      throw new AppError('bad_input', `git cannot read the commits: it has no message of ${hash}`);
    return {
      name: hash.slice(0, 12),
      files: [...(files.get(hash) ?? [])].map((file) => path.join(git.top, file)),
      message: messages[2 * index + 1] ?? '',
      contentOf: (file) => blobOf(git, `${hash}:`, file),
    };
  });
}

function hashesIn({ text }: GitRepository, range: string, isRange: boolean): string[] {
  try {
    for (const end of range.split(/\.{2,3}/)) requireOneMeaning(text, '--commit', end);
    const listed = isRange ? [range] : ['--no-walk', range];
    return text(['rev-list', '--reverse', ...listed, '--'])
      .split('\n')
      .filter(Boolean);
  } catch (cause) {
    // The repository can be read, as `gitRepository` has seen, so git does not know a name.
    if (!(cause instanceof AppError && cause.cause !== undefined)) throw cause;
    throw new AppError('bad_input', `--commit: ${firstLine(range)} is not a commit or a range`, { cause });
  }
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
function blobOf({ top, run }: GitRepository, tree: string, file: string): Buffer | null {
  try {
    return run(['cat-file', 'blob', tree + path.relative(top, file).split(path.sep).join('/')]);
  } catch {
    return null;
  }
}

/** The message as git would commit it: without comments and anything below the scissors line. */
function messageIn(file: string): string {
  const [message = ''] = fs.readFileSync(file, 'utf8').split(/^# -+ >8 -+$/m);
  return message.replaceAll(/^#.*$/gm, '');
}

function textOf(answer: CommitAnswer, commits: readonly CommitChanges[]): string {
  const names = fewNames(commits.map(({ name }) => name));
  const held = answer.problem !== null || answer.reasons.length > 0;
  if (!held && answer.references.length + answer.changed.length === 0)
    return gateText(answer, { guide: verbGuide, asked: names === '' ? 'an empty range' : names });
  return [
    ...(held ? [gateText(answer, { guide: verbGuide, asked: names })] : []),
    ...fewLines(answer.changed.map(changedInCommitText)),
    ...fewLines(answer.references.map(referenceText)),
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
