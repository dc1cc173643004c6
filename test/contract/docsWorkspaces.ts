/** Workspaces in which commands of the pages run, each prepared as its page assumes. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { attestAll, writeAttestations } from '../../src/app/audit/attestations.ts';
import { raiseQuestion } from '../../src/app/question/questions.ts';
import { registerWork } from '../../src/app/work/work.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { createTrust } from '../../src/trust/envelope.ts';
import { root } from '../support/host.ts';
import { owner, type Postgres } from '../support/postgres.ts';
import { agent, decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, type Sandbox } from '../support/store/sandbox.ts';
import { makeLogins, shareAsAda, startGuarded, type Member } from '../support/store/team.ts';

const cli = path.join(root, 'dist', 'cli.cjs');

export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Made {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Each may return another folder than the sandbox's workspace, and more of the environment. */
const workspaces: Readonly<
  Record<string, (sandbox: Sandbox) => string | undefined | Promise<string | Made | undefined>>
> = {
  empty: () => undefined,
  project(sandbox) {
    write(sandbox, 'README.md', '# A project\n');
    write(sandbox, 'docs/outbox.md', '# Outbox\n\n## Summary\n\nWrite events in the same transaction.\n');
    return undefined;
  },
  async repository(sandbox) {
    await decidedRepository(sandbox);
    return undefined;
  },
  /** As CI has it: the keys in a file of the base branch, and a change that brings another. */
  async reviewedKeys(sandbox) {
    const git = await decidedRepository(sandbox, 'decision-keys.txt');
    write(sandbox, 'decision-keys.txt', 'the keys of an agent\n');
    git('commit', '--quiet', '--all', '--message', 'Send payments through the outbox (Q-1)');
    return { env: runner(sandbox) };
  },
  /** As CI has it: a clone, on a machine without a store. */
  async pullRequestClone(sandbox) {
    const git = await decidedRepository(sandbox);
    git('checkout', '--quiet', '-b', 'feature');
    git('commit', '--quiet', '--message', 'Send payments through the outbox (Q-1)');
    git('clone', '--quiet', sandbox.folder, sandbox.at('clone'));
    fs.rmSync(sandbox.home, { recursive: true });
    fs.mkdirSync(sandbox.home);
    return sandbox.at('clone');
  },
  /** As CI has it: a clone of a repository whose journal the team shares, with the login of CI's own agents. */
  async teamsClone(sandbox) {
    const urls = await makeLogins(await startServer(), ['Ada', 'CI']);
    const ci: Member = { person: 'CI', human: 'ci', agent: 'ci_agent' };
    const { fingerprint } = await shareAsAda('payments', urls, ci, decideOutbox);
    const git = repositoryOfPayments(sandbox);
    git('commit', '--quiet', '--message', 'Send payments through the outbox (Q-1)');
    const env = { HOLDPOINT_DATABASE_URL: urls.get('ci_agent') ?? '', HOLDPOINT_FINGERPRINT: fingerprint };
    return { env: { ...env, ...runner(sandbox) } };
  },
  /** Of a database's owner. */
  async database() {
    const postgres = await startServer();
    return { env: { HOLDPOINT_OWNER_URL: postgres.url(owner) } };
  },
  /** The workspace that Ada has shared; Linus has logins only. */
  async sharer() {
    const postgres = await startServer();
    const urls = await makeLogins(postgres, ['Ada', 'Grace', 'Linus']);
    const { sandbox: made } = await shareAsAda('payments', urls, grace);
    const of = (login: string) => urls.get(login) ?? '';
    const env = { HOME: made.home, HOLDPOINT_DATABASE_URL: of('ada_agent'), MY_URL: of('ada') };
    return { folder: made.folder, env: { ...env, HOLDPOINT_OWNER_URL: postgres.url(owner) } };
  },
  /** A clone of Grace's, who has not joined yet. */
  async member() {
    const urls = await makeLogins(await startServer(), ['Ada', 'Grace']);
    const { fingerprint } = await shareAsAda('payments', urls, grace);
    const of = (login: string) => urls.get(login) ?? '';
    return { env: { AGENTS_URL: of('grace_agent'), MY_URL: of('grace'), FINGERPRINT: fingerprint } };
  },
};

const grace: Member = { person: 'Grace', human: 'grace', agent: 'grace_agent' };

const servers: Postgres[] = [];

async function startServer(): Promise<Postgres> {
  const postgres = await startGuarded();
  servers.push(postgres);
  return postgres;
}

/** Stops the servers of all workspaces. */
export async function stopServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((postgres) => postgres.stop()));
}

/** @throws Error for an unknown workspace name */
export async function makePlace(name: string): Promise<Place> {
  const make = workspaces[name];
  if (!make) throw new Error(`There is no workspace "${name}": ${Object.keys(workspaces).join(', ')}`);
  const sandbox = makeSandbox();
  const made = await make(sandbox);
  const { folder = sandbox.folder, env: more = {} } = typeof made === 'string' ? { folder: made } : (made ?? {});
  sandbox.close();
  fs.mkdirSync(sandbox.at('bin'));
  fs.writeFileSync(sandbox.at('bin', 'holdpoint'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, {
    mode: 0o755,
  });
  const PATH = [sandbox.at('bin'), path.dirname(process.execPath), process.env['PATH'] ?? ''].join(path.delimiter);
  const keys = sandbox.at('keys-of-ci.txt');
  const env = { ...environment(sandbox, PATH), ...more };
  if (!fs.existsSync(keys)) return { folder, env };
  return { folder, env: { ...env, ...runner(sandbox), HOLDPOINT_KEYS: fs.readFileSync(keys, 'utf8') } };
}

/** Variables of a workflow. */
function runner({ base }: Sandbox): Readonly<Record<string, string>> {
  return {
    HOLDPOINT_CLI: cli,
    BASE: 'origin/main',
    HEAD: 'HEAD',
    GITHUB_STEP_SUMMARY: path.join(base, 'summary.md'),
    RUNNER_TEMP: base,
  };
}

/** Runs a command as a person’s shell does, without a terminal that could ask somebody for a password. */
export async function inShell(
  place: Place,
  command: string,
  input = '',
): Promise<{ readonly exit: number; readonly output: string }> {
  const child = spawn('bash', ['-c', command], { cwd: place.folder, env: place.env, detached: true });
  const exit = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
  child.stdin.on('error', () => undefined);
  if (input === '') child.stdin.end();
  else {
    child.stdin.write(`${input}\n`);
    // A server answers the requests that it has when its input ends.
    child.stdout.once('data', () => child.stdin.end());
  }
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { exit: code, output: `${out}${err}` };
}

function environment(sandbox: Sandbox, PATH: string): Readonly<Record<string, string>> {
  return { PATH, HOME: sandbox.home, USERPROFILE: sandbox.home, LOCALAPPDATA: sandbox.home, ...author };
}

const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** A workspace with a decision on Q-1 among its files, and a staged change in src/payments. */
async function decidedRepository(sandbox: Sandbox, keysFile?: string): Promise<Git> {
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  await decideOutbox(workspace, human);
  writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
  const id = workspace.standing().state?.workspace?.id ?? '';
  const keys = `workspace ${id}\n${human.publicKey.toString('base64')} Ada\n`;
  if (keysFile === undefined) fs.writeFileSync(sandbox.at('keys-of-ci.txt'), keys);
  else write(sandbox, keysFile, keys);
  return repositoryOfPayments(sandbox);
}

async function decideOutbox(workspace: Workspace, human: Human): Promise<void> {
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'payments', workKind: 'task', title: 'Payments' });
  const asked = {
    type: 'clarification',
    urgency: 'medium',
    mode: 'sync',
    text: 'Payments through the outbox?',
  } as const;
  await raiseQuestion(store, agent(), { ...asked, work: 'payments', holds: ['src/payments/**'] });
  await decide(workspace, human, 'Q-1');
}

type Git = (...args: readonly string[]) => void;

/** A repository of all files, with a staged change in src/payments. */
function repositoryOfPayments(sandbox: Sandbox): Git {
  const git: Git = (...args) => {
    execFileSync('git', args, { cwd: sandbox.folder, env: { ...environment(sandbox, process.env['PATH'] ?? '') } });
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  write(sandbox, 'src/payments/send.ts', 'export const way = "outbox";\n');
  git('add', 'src');
  return git;
}

function write(sandbox: Sandbox, file: string, content: string): void {
  const target = path.join(sandbox.folder, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, content);
}
