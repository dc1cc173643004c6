/** Two machines of one team: an agent on one asks, a human on the other answers. Each part is real but the agents' minds. */
import { execFileSync, fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { journalPath } from '../../src/store/journal/segments.ts';
import { prepareDatabase } from '../../src/store/shared/migrate.ts';
import { readMigrations } from '../../src/store/shared/migrations.ts';
import { databaseUrl } from '../../src/store/shared/connection.ts';
import { settingsOfUrl } from '../../src/store/shared/settings.ts';
import { root } from '../support/host.ts';
import { environment } from '../support/mcp.ts';
import { owner, startPostgres } from '../support/postgres.ts';
import type { Postgres } from '../support/postgres.ts';
import type { LoginOf, Order, Reply } from '../support/teamPlace.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A folder and a home, with the user that owns them. */
interface Machine {
  readonly folder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

interface Called {
  readonly code: number;
  readonly out: string;
  readonly at: number;
}

export interface TeamJob {
  readonly gateBefore: number;
  readonly gatesAfter: readonly number[];
  readonly answers: readonly string[];
}

const question = 'Should API tokens be JWT or sessions?';
const answer = 'Sessions: revoking has to be instant.';
const team: readonly LoginOf[] = [
  { login: 'ada', kind: 'human', person: 'Ada' },
  { login: 'ada_agent', kind: 'agent', person: 'Ada' },
  { login: 'grace', kind: 'human', person: 'Grace' },
  { login: 'grace_agent', kind: 'agent', person: 'Grace' },
];

export async function playTeamJob(say: (line: string) => void): Promise<TeamJob> {
  const { folder, remove } = await temporaryFolder();
  const postgres = await startPostgres({
    settings: { listen_addresses: '127.0.0.1', password_encryption: 'scram-sha-256' },
    hba: ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256'],
  });
  const people: ChildProcess[] = [];
  try {
    return await play(say, { folder, postgres, people });
  } finally {
    for (const person of people) person.kill();
    await postgres.stop();
    await remove();
  }
}

interface Stage {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly people: ChildProcess[];
}

async function play(say: (line: string) => void, { folder, postgres, people }: Stage): Promise<TeamJob> {
  const urls = await prepare(postgres);
  say(`PostgreSQL ${String(postgres.version)} keeps the journal. Ada, Grace and their agents have a login each.`);
  const second = otherUser();
  const [hers, graces] = machinesIn(folder, urls, second);
  say(
    second
      ? 'Two machines: two clones and two homes, of two users of this system.'
      : 'Two machines: two clones and two homes, of one user (a second one takes root on Linux).',
  );
  const start = async (machine: Machine, name: string) => {
    const person = await startPerson(machine, name, urls.get(name.toLowerCase()) ?? '');
    people.push(person);
    return person;
  };
  const ada = await start(hers, 'Ada');
  const fingerprint = await ask(ada, { act: 'share', text: 'tokens', logins: team });
  say(`Ada shares the workspace as "tokens". Fingerprint of the root key: ${fingerprint.slice(0, 19)}…`);
  const joined = await holdpoint(graces, 'team', 'join', 'tokens', '--fingerprint', fingerprint.replaceAll(' ', ''));
  say(`Grace's machine: $ holdpoint team join tokens --fingerprint …      exit ${String(joined.code)}`);
  for (const line of joined.out.split('\n')) say(`  ${line}`);
  const grace = await start(graces, 'Grace');
  await ask(ada, { act: 'admit', text: await ask(grace, { act: 'key', text: '' }) });
  say('Ada compares the fingerprint of Grace’s key and adds it to the ring.');
  await ask(grace, { act: 'follow', text: '' });

  return exchange(say, { hers, graces, grace });
}

interface Exchange {
  readonly hers: Machine;
  readonly graces: Machine;
  readonly grace: ChildProcess;
}

async function exchange(say: (line: string) => void, { hers, graces, grace }: Exchange): Promise<TeamJob> {
  const arrives = ask(grace, { act: 'waitFor', text: question });
  const create = ['question', 'create', '--text', question, '--blocking-task-id', 't-1', '--wait', '120'];
  const asking = holdpoint(hers, ...create);
  const id = await arrives;
  say(`The agent on Ada's machine asks, and waits. On Grace's machine: ${id} "${question}"`);
  const waiting = holdpoint(graces, 'question', 'await', id);
  const before = await holdpoint(graces, 'gate', '--work', 't-1');
  say(`Grace's machine: $ holdpoint gate --work t-1      exit ${String(before.code)}`);
  for (const line of before.out.split('\n')) say(`  ${line}`);
  await sleep(1_000); // both agents are waiting by now

  const began = performance.now();
  const outcome = await ask(grace, { act: 'answer', text: answer, id });
  const signed = performance.now() - began;
  say(`Grace answers on her machine: "${answer}" (${outcome} in ${signed.toFixed(0)} ms, on the server's disk)`);
  const [there, here] = await Promise.all([asking, waiting]);
  for (const [whose, { at, out, code }] of [
    ['Ada', there],
    ['Grace', here],
  ] as const) {
    say(
      `The agent on ${whose}'s machine goes on ${(at - began).toFixed(0)} ms after the answer (exit ${String(code)}):`,
    );
    say(`  ${out.split('\n').find((line) => line.includes('Sessions')) ?? out}`);
  }
  const gates = [await holdpoint(hers, 'gate', '--work', 't-1'), await holdpoint(graces, 'gate', '--work', 't-1')];
  say(`$ holdpoint gate --work t-1      exit ${gates.map(({ code }) => String(code)).join(' and ')}`);
  const same = [hers, graces].map(journalOf);
  say(same[0]?.equals(same[1] ?? Buffer.alloc(0)) ? 'Both copies have the same bytes.' : 'The copies DIFFER.');
  return { gateBefore: before.code, gatesAfter: gates.map(({ code }) => code), answers: [there.out, here.out] };
}

/** @returns the URL of each login */
async function prepare(postgres: Postgres): Promise<ReadonlyMap<string, string>> {
  const { logins } = await prepareDatabase({
    owner: settingsOfUrl(postgres.url(owner)),
    migrations: readMigrations(path.join(root, 'media/sql')),
    logins: team.map(({ login, kind }) => ({ login, kind })),
  });
  const url = (login: string, password: string | null) =>
    `postgresql://${login}:${password ?? ''}@127.0.0.1:${String(postgres.port)}/postgres`;
  return new Map(logins.map(({ login, password }) => [login, url(login, password)]));
}

/** Root can act as another user. */
function otherUser(): Machine['user'] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const number = (flag: string) => Number(execFileSync('id', [flag, 'daemon'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

function machinesIn(folder: string, urls: ReadonlyMap<string, string>, second: Machine['user']): [Machine, Machine] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { stdio: 'ignore' });
  const origin = path.join(folder, 'origin');
  fs.cpSync(path.join(root, 'sample'), origin, { recursive: true });
  git('init', '-q', origin);
  git('-C', origin, 'add', '-A');
  git('-C', origin, 'commit', '-qm', 'Sample');
  fs.chmodSync(folder, 0o755);
  const machine = (name: string, user: Machine['user']): Machine => {
    const base = path.join(folder, name);
    const [clone, home] = [path.join(base, 'sample'), path.join(base, 'home')];
    fs.mkdirSync(home, { recursive: true });
    git('clone', '-q', origin, clone);
    if (user) execFileSync('chown', ['-R', `${String(user.uid)}:${String(user.gid)}`, base]);
    fs.chmodSync(base, 0o700);
    const env = environment({ folder: clone, home }, { [databaseUrl]: urls.get(`${name}_agent`) ?? '' });
    return { folder: clone, home, env, user };
  };
  return [machine('ada', null), machine('grace', second)];
}

function startPerson({ folder, home, env, user }: Machine, name: string, url: string): Promise<ChildProcess> {
  const script = path.join(root, 'test', 'support', 'teamPerson.ts');
  const child = fork(script, [folder, home, name], {
    ...{ env: { ...env, DEMO_HUMAN_URL: url }, stdio: 'inherit', cwd: folder },
    ...user,
  });
  return reply(child).then(() => child);
}

async function ask(person: ChildProcess, order: Order): Promise<string> {
  person.send(order);
  return reply(person);
}

function reply(person: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      reject(new Error('the program of a person ended'));
    };
    person.once('exit', ended);
    person.once('message', ({ text, error }: Reply) => {
      person.off('exit', ended);
      if (error === null) resolve(text);
      else reject(new Error(error));
    });
  });
}

/** Runs the built command line as the machine's user. */
function holdpoint({ folder, env, user }: Machine, ...args: readonly string[]): Promise<Called> {
  const cli = path.join(root, 'dist', 'cli.cjs');
  const child = spawn(process.execPath, [cli, '--workspace', folder, ...args], {
    ...{ env, stdio: ['ignore', 'pipe', 'pipe'], cwd: folder },
    ...user,
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code: code ?? -1, out: out.trim(), at: performance.now() });
    });
  });
}

function journalOf({ folder }: Machine): Buffer {
  return fs.readFileSync(journalPath(folder));
}
