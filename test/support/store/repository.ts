/** A git repository in a sandbox's workspace, and `holdpoint check` run on it as in a shell. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Io } from '../../../src/cli/kit/io.ts';
import { main } from '../../../src/cli/program.ts';
import { readAccepted, type Accepted, type Attested } from '../../../src/app/audit/attestations.ts';
import { checkAttested } from '../../../src/app/audit/checkAttested.ts';
import type { CheckRange, CheckReport, RangeCommit } from '../../../src/app/audit/checkReport.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { root } from '../host.ts';
import { checkPrinted } from '../outputs.ts';
import type { Sandbox } from './sandbox.ts';

export interface Repository {
  readonly folder: string;
  git(...args: readonly string[]): string;
  /** Writes files (null: deletes) and commits them, dated by the sandbox's clock. */
  commit(files: Readonly<Record<string, string | null>>, more?: CommitMore): string;
}

export interface CommitMore {
  readonly message?: string;
}

const identity = {
  GIT_AUTHOR_NAME: 'Bo',
  GIT_AUTHOR_EMAIL: 'bo@example.org',
  GIT_COMMITTER_NAME: 'Bo',
  GIT_COMMITTER_EMAIL: 'bo@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** The branch `main` with one commit; `feature` is checked out. */
export function makeRepository(sandbox: Sandbox, folder = sandbox.folder): Repository {
  const env = { ...identity, PATH: process.env['PATH'] };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const commit = (files: Readonly<Record<string, string | null>>, more: CommitMore = {}) => {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      if (content === null) fs.rmSync(file);
      else {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, content);
      }
    }
    git('add', '--all');
    const now = new Date(sandbox.clock.now).toISOString();
    execFileSync('git', ['-C', folder, 'commit', '--quiet', '--allow-empty', '-m', more.message ?? 'Change'], {
      env: { ...env, GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now },
      stdio: 'pipe',
    });
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '--quiet', '--initial-branch', 'main');
  commit({ 'README.md': '# A project\n', 'src/auth/login.ts': 'login\n', 'src/pay/send.ts': 'send\n' });
  git('checkout', '--quiet', '-b', 'feature');
  return { folder, git, commit };
}

/** A shell in the repository. */
export function ioOf(sandbox: Pick<Sandbox, 'home'>, cwd: string): Io {
  return {
    ...{ cwd, home: sandbox.home, platform: 'linux', programs: path.join(root, 'dist') },
    env: { PATH: process.env['PATH'], ...identity },
    out: () => undefined,
    err: () => undefined,
    signal: new AbortController().signal,
    serveMcp: () => Promise.resolve(1),
    serveForms: () => Promise.resolve(1),
    answerHook: () => Promise.resolve(1),
  };
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function holdpoint(sandbox: Sandbox, cwd: string, ...argv: readonly string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    ...ioOf(sandbox, cwd),
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  };
  const code = await main(argv, io, '0.0.0');
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The report on `main...HEAD`, whose output follows the published schema. */
export async function checked(
  sandbox: Sandbox,
  { folder }: Pick<Repository, 'folder'>,
  ...more: readonly string[]
): Promise<CheckReport & { readonly code: number }> {
  const { code, out } = await holdpoint(sandbox, folder, 'check', '--base', 'main', '--json', ...more);
  checkPrinted(out);
  return { code, ...(JSON.parse(out) as CheckReport) };
}

/** The report of CI on one commit, by what a repository has of decisions. */
export function checkedInCi(
  attested: Attested,
  { files = [], names = [], required = [] }: Partial<RangeCommit> & Partial<Pick<CheckRange, 'required'>>,
): CheckReport {
  const range = {
    base: 'b'.repeat(40),
    head: 'c'.repeat(40),
    merge_bases: [],
    inside: (file: string) => file,
    required,
  };
  const changed = files.map((name) => ({ path: name, change: 'modified', submodule: false }) as const);
  return checkAttested({ ...range, files: changed, commits: [{ sha: range.head, files, names }] }, attested);
}

/** All decisions that a store has written. */
export function attestedBy(workspace: Workspace, accepted?: Partial<Accepted>): Attested {
  const folder = `${workspace.location.root}/.holdpoint/decisions`;
  const of = { trust: createTrust(workspace.pins), workspaces: [workspace.standing().state?.workspace?.id ?? ''] };
  const read = fs.readdirSync(folder).map((name) => ({
    name,
    read: readAccepted(name, fs.readFileSync(`${folder}/${name}`, 'utf8'), { ...of, ...accepted }),
  }));
  return {
    attestations: read.flatMap((one) => ('why' in one.read ? [] : [one.read])),
    bad: read.flatMap((one) => ('why' in one.read ? [{ name: one.name, why: one.read.why }] : [])),
  };
}
